// A worker's module in the thread of the test: import it beside this, and its questions are answered.

class WorkerHere extends EventTarget {
  constructor() {
    super();
    // What the module answers goes to the window that it takes for its own worker.
    window.postMessage = (reply: unknown) => {
      this.dispatchEvent(new MessageEvent('message', { data: reply }));
    };
  }

  postMessage(question: unknown): void {
    window.dispatchEvent(new MessageEvent('message', { data: question }));
  }
}

Object.defineProperty(globalThis, 'Worker', { value: WorkerHere, configurable: true });

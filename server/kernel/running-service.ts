/** A service that listens. `stop` drains what runs, closes the listener and the store. */
export interface RunningService {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

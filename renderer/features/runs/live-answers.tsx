import { t } from '../../../preload/texts/t.ts';
import './run-page.css';
import { useLiveAnswers } from './use-live-answers.ts';

/** What models say while they say it; what is stored takes its place. Nothing while none speaks. */
export function LiveAnswers(props: { readonly runId: string; readonly isLive: boolean }) {
  const answers = useLiveAnswers(props.runId, props.isLive);
  return answers.map(({ call_id, agent_name, text, cut }) => (
    <section key={call_id} className="sw-run-section" data-testid="live-answer" aria-busy>
      <h2 className="sw-section-title">{t('{agent} is answering', { agent: agent_name })}</h2>
      <pre className="sw-text-box sw-run-text">{cut ? `… ${text}` : text}</pre>
    </section>
  ));
}

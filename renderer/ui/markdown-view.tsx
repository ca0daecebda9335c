import { t } from '../../preload/texts/t.ts';
import './markdown.css';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { OutsideLink } from './outside-link.tsx';

const PLUGINS = [remarkGfm];

const SAFE: Components = {
  // What a model wrote must not make the window ask an address by itself.
  img: ({ alt, src }) => (
    <span className="sw-faint">
      {t('[image{detail}{detail2}]', {
        detail: alt ? `: ${alt}` : '',
        detail2: typeof src === 'string' && src !== '' ? `, ${src}` : '',
      })}
    </span>
  ),
  a: ({ href, children }) => <OutsideLink href={href ?? ''}>{children}</OutsideLink>,
};

/** A text as Markdown: no HTML of its own, nothing loaded from elsewhere, links with safe schemes only. */
export function MarkdownView(props: { readonly text: string }) {
  return (
    <div className="sw-markdown">
      <Markdown remarkPlugins={PLUGINS} components={SAFE}>
        {props.text}
      </Markdown>
    </div>
  );
}

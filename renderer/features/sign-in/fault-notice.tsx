import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import type { SignInFault } from './sign-in-texts.ts';

/** Whole seconds left of a wait that begins with each new fault; 0 when it is over. */
export function useWait(fault: SignInFault | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = Date.now() + (fault?.wait ?? 0) * 1000;
    const show = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 500);
    return () => clearInterval(timer);
  }, [fault]);
  return left;
}

/** Why a sign-in failed and what to do. */
export function FaultNotice(props: { readonly fault: SignInFault; readonly left: number }) {
  const { fault, left } = props;
  return (
    <div className="sw-sign-in-fault" role="alert" data-testid="sign-in-fault">
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      <div>
        <strong>{fault.title}</strong>
        <div>{fault.text}</div>
        {fault.command !== undefined && (
          <CopyCode value={fault.command} label={t('Copy command')} />
        )}
        {left > 0 && (
          <div aria-live="off" data-testid="sign-in-wait">
            {t('Try again in {left} {count, plural, one {second} other {seconds}}.', {
              left,
              count: left,
            })}
          </div>
        )}
      </div>
    </div>
  );
}

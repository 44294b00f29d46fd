import type { PurchaseReset } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { Notice } from './Notice.tsx'
import type { Outcome } from './outcome.ts'
import { leftText, RefusedList } from './RefusedList.tsx'

type Props = { outcome: Outcome | null; onUndo: (reset: PurchaseReset) => void; onClose: () => void }

export function OutcomeNotice({ outcome, onUndo, onClose }: Props) {
  if (!outcome) return null
  const { count, tone, text, refused, undo } = outcome
  return (
    <Notice
      key={count}
      focused={tone !== 'warning'}
      tone={tone}
      text={text}
      actions={
        undo ? (
          <Button size="small" color="inherit" onClick={() => onUndo(undo)}>
            Undo
          </Button>
        ) : null
      }
      onClose={onClose}
    >
      {refused.length > 0 ? (
        <>
          <p>{leftText(refused.length)}</p>
          <RefusedList refused={refused} />
        </>
      ) : null}
    </Notice>
  )
}

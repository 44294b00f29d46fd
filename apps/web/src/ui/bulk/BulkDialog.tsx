import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { type SendRow, type Stale, useBulk } from '../../lib/use-bulk.ts'
import { phone, useMedia } from '../../lib/use-media.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { ReasonedButton } from '../ReasonedButton.tsx'
import { stillLoading } from '../unread-preview.ts'
import { BulkRow, type Plan } from './BulkRow.tsx'
import css from './bulk.module.css'
import type { BulkDialogProps } from './bulk-act.ts'
import { restOf, tallyOf } from './tally.ts'

type Props<Row> = BulkDialogProps<Row> & {
  /** Instead of what is done to how many: of some it may be known that nothing is. */
  title?: string
  /** What is done, without a number: "Suspend". */
  verb: string
  /** What is counted: ["account", "accounts"]. */
  unit: readonly [one: string, many: string]
  destructive?: boolean
  cancelLabel?: string
  nameOf: (row: Row) => string
  /** What will happen to a row, or why nothing does; undefined while it is being asked. */
  planOf: (row: Row) => Plan | undefined
  send: SendRow<Row>
  stale: Stale
  /** Why the fields do not allow it yet. */
  blockedReason?: string | undefined
  /** Fields that hold for all rows. */
  children?: (isLocked: boolean) => ReactNode
}

/** The same act on several rows: what will happen to each, then what became of each. */
export function BulkDialog<Row extends { id: string }>(props: Props<Row>) {
  const { verb, unit, nameOf, planOf, destructive = false, children } = props
  // The list behind follows what is done here, and may lose rows by it.
  const [rows] = useState(props.rows)
  const { outcomes, isRunning, isStopping, start, stop } = useBulk(props.send, props.stale)
  const id = useId()
  const fullScreen = useMedia(phone)
  const plans = new Map(rows.map((row) => [row.id, planOf(row)]))
  // What was done changes what could be done: once begun, it goes on with those that it began with.
  const [begunWith, setBegunWith] = useState<readonly Row[]>()
  const possible = begunWith ?? rows.filter(({ id }) => plans.get(id)?.blocked === undefined)
  const rest = restOf(possible, outcomes)
  const hasBegun = outcomes.size > 0
  const isOver = hasBegun && !isRunning
  const count = (number: number) => `${formatCount(number)} ${unit[number === 1 ? 0 : 1]}`
  const isAsking = !hasBegun && rows.some((row) => plans.get(row.id) === undefined)
  const blocked = isAsking
    ? stillLoading
    : possible.length === 0
      ? 'Not possible for any of the selected rows'
      : props.blockedReason

  const handleClose = () => {
    if (isRunning) return
    if (hasBegun) props.onDone()
    props.onClose()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isRunning || rest.length === 0 || (!hasBegun && blocked !== undefined)) return
    setBegunWith(possible)
    start(rest)
  }

  return (
    <Dialog
      open
      role="alertdialog"
      maxWidth="sm"
      fullWidth
      fullScreen={fullScreen}
      onClose={handleClose}
      aria-labelledby={id}
    >
      <form className={css['form']} onSubmit={handleSubmit} noValidate>
        <DialogTitle id={id}>{props.title ?? `${verb} ${count(rows.length)}`}</DialogTitle>
        {/* Many rows are scrolled, also by keyboard. */}
        <DialogContent tabIndex={0}>
          {children ? <div className={css['fields']}>{children(isRunning || hasBegun)}</div> : null}
          <ul className={css['rows']} aria-label={`Selected ${unit[1]}`}>
            {rows.map((row) => (
              <BulkRow key={row.id} name={nameOf(row)} plan={plans.get(row.id)} outcome={outcomes.get(row.id)} />
            ))}
          </ul>
        </DialogContent>
        <DialogActions>
          <span className={css['tally']} role="status">
            {hasBegun ? tallyOf(possible, outcomes) : null}
          </span>
          {isRunning ? (
            <Button onClick={stop} disabled={isStopping}>
              {isStopping ? 'Stopping' : 'Stop'}
            </Button>
          ) : (
            <Button onClick={handleClose} autoFocus={!children}>
              {hasBegun ? 'Close' : (props.cancelLabel ?? 'Cancel')}
            </Button>
          )}
          {isOver && rest.length === 0 ? null : (
            <ReasonedButton
              type="submit"
              variant="contained"
              color={destructive ? 'error' : 'primary'}
              loading={isRunning}
              blocked={hasBegun ? undefined : blocked}
            >
              {isOver ? `Try ${formatCount(rest.length)} again` : `${verb} ${count(possible.length)}`}
            </ReasonedButton>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

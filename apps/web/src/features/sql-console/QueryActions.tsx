import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { formatDuration } from '../../lib/format.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import css from './sql-console.module.css'
import { isWaiting, latestQueries } from './sql-search.ts'
import type { useQueryRun } from './use-query-run.ts'
import { useSeconds } from './use-seconds.ts'

type Props = {
  isBlank: boolean
  run: ReturnType<typeof useQueryRun>
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
  onExecute: () => void
  onExplain: (analyze: boolean) => void
  onSave: () => void
  onClear: () => void
}

/** What can be done with the query that stands in the editor. */
export function QueryActions(props: Props) {
  const { isBlank, run, isWriting, onWriting, onExecute, onSave, onClear } = props
  const { running } = run
  return (
    <div className={css['actions']}>
      <Button
        variant="contained"
        color={isWriting ? 'error' : 'primary'}
        disabled={isBlank || running !== null}
        title="Ctrl+Enter"
        onClick={onExecute}
      >
        Execute Query
      </Button>
      {running ? (
        <Button variant="outlined" loading={run.isCancelling ? 'Cancelling' : false} onClick={run.cancel}>
          Cancel
        </Button>
      ) : null}
      <Button disabled={running !== null} onClick={onClear}>
        Clear
      </Button>
      <ExplainButton {...props} />
      <Button disabled={isBlank} onClick={onSave}>
        Save
      </Button>
      {running ? <Elapsed {...running} /> : null}
      <WriteSwitch isOn={isWriting} onChange={onWriting} />
    </div>
  )
}

function ExplainButton({ isBlank, run, isWriting, onExplain }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        disabled={isBlank || run.running !== null || isWriting}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Explain
      </Button>
      {anchor ? (
        <Suspense>
          <ActionMenu
            anchor={anchor}
            label="Explain"
            onClose={() => setAnchor(null)}
            actions={[
              { label: 'Estimate', onSelect: () => onExplain(false) },
              { label: 'Run and measure', onSelect: () => onExplain(true) },
            ]}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** What the query does, as its entry in the history says. */
function Elapsed({ id, since }: { id: string; since: number }) {
  const seconds = Math.max(0, Math.floor((useSeconds() - since) / 1000))
  const entry = useQuery(latestQueries()).data?.queries.find((query) => query.id === id)
  const doing = entry && isWaiting(entry) ? 'Waiting behind other queries' : 'Waiting for the answer'
  return (
    <span role="status" className={css['elapsed']}>
      {doing}
      {seconds < 2 ? '' : ` (${formatDuration(seconds * 1000)})`}
    </span>
  )
}

function WriteSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const denial = useDenial(sqlConsole.startWrite)
  return (
    <label className={css['switch']} title={denial}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={denial !== undefined}
        aria-description={denial}
        onChange={(event) => onChange(event.target.checked)}
      />
      Write mode
    </label>
  )
}

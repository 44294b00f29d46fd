import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import type { SqlWrite } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount, formatCountdown } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { ResultTable } from './ResultTable.tsx'
import css from './sql-console.module.css'
import { useSeconds } from './use-seconds.ts'

const stale = [sqlConsole.listWrites, sqlConsole.listQueries]
const verbs: Record<SqlWrite['verb'], string> = { insert: 'added to', update: 'changed in', delete: 'deleted from' }

/** One's own changes whose transaction is open, until they are kept or taken back. */
export function PendingWrites() {
  const { data } = useQuery(q(sqlConsole.listWrites, {}))
  return data?.writes.map((write) => <PendingWrite key={write.id} write={write} />) ?? null
}

const rowWords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`

function PendingWrite({ write }: { write: SqlWrite }) {
  const { id, verb, table, affected, query, reason, expires_at } = write
  const commit = useCall(sqlConsole.commitWrite, stale)
  const rollBack = useCall(sqlConsole.rollBackWrite, stale)
  const left = Math.max(0, Math.ceil((Date.parse(expires_at) - useSeconds()) / 1000))
  const isPending = commit.isPending || rollBack.isPending
  const what = `${rowWords(affected)} ${verbs[verb]} ${table}`
  return (
    <Panel
      title={`Not committed yet: ${what}`}
      actions={<StatusChip tone="warning" label={`Rolls back in ${formatCountdown(left)}`} />}
      footer={
        <div className={css['decide']}>
          <span className={css['reason']}>
            Reason: <bdi>{reason}</bdi>
          </span>
          <Button
            variant="outlined"
            disabled={isPending}
            onClick={() =>
              rollBack.mutate(
                { params: { id } },
                { success: 'Rolled back: nothing was changed', failure: 'The change was not rolled back.' },
              )
            }
          >
            Roll back
          </Button>
          <Button
            variant="contained"
            disabled={isPending}
            onClick={() =>
              commit.mutate(
                { params: { id } },
                { success: `Committed: ${what}`, failure: 'The change was not committed.' },
              )
            }
          >
            Commit
          </Button>
        </div>
      }
    >
      <pre className={css['shown']}>{query}</pre>
      <p className={css['about']}>Nobody else can change these rows until you decide.</p>
      <Sample title="Before" write={write} rows={write.before} />
      <Sample title="After" write={write} rows={write.after} />
    </Panel>
  )
}

type SampleProps = { title: 'Before' | 'After'; write: SqlWrite; rows: SqlWrite['before'] }

function Sample({ title, write: { id, columns, affected }, rows }: SampleProps) {
  if (rows.length === 0) return null
  const isPart = rows.length < affected
  return (
    <section className={css['sample']} aria-label={title}>
      <h3>
        {title}
        {isPart ? ` (${formatCount(rows.length)} of ${formatCount(affected)})` : ''}
      </h3>
      <ResultTable
        key={`${id} ${title}`}
        label={title}
        columns={columns.map((name) => ({ name, type: 'text' }))}
        rows={rows}
      />
    </section>
  )
}

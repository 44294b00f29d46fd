import * as backups from '@agency/contract/descriptors/backups'
import type { BackupDetails as Details } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount, formatMoneyWithCode } from '../../lib/format.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { causeTexts, sizeText, stateChips, typeLabels } from './backup-words.ts'
import css from './backups.module.css'

/** What a backup holds, as it was counted when it was written and read back. */
export function BackupDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(backups.getBackup, { params: { id } }))
  const backup = data?.backup
  if (isNotFound(error)) return <DetailsDialog {...notFound('Backup')} onClose={onClose} />
  return (
    <DetailsDialog
      title={backup?.name ?? 'Backup'}
      marks={backup ? <StatusChip {...stateChips[backup.state]} /> : null}
      onClose={onClose}
    >
      {error ? <SectionError error={error} onRetry={() => void refetch()} /> : null}
      {backup ? <Content backup={backup} /> : null}
    </DetailsDialog>
  )
}

function Content({ backup }: { backup: Details }) {
  const { type, cause, size, rows, snapshot_at, sha256, made_by, reason, is_here, stored_at, chain } = backup
  return (
    <div className={css['details']}>
      <Facts
        facts={[
          { label: 'Type', value: typeLabels[type] },
          { label: 'Made', value: causeTexts[cause] },
          { label: 'Made by', value: <bdi>{made_by}</bdi> },
          { label: 'Data of', value: snapshot_at === null ? null : <DateTime at={snapshot_at} /> },
          { label: 'Size', value: size === null ? null : sizeText(size) },
          { label: 'Rows', value: rows === null ? null : formatCount(rows) },
          { label: 'File', value: is_here ? 'In the data folder, verified' : 'Not on this server' },
          {
            label: 'Store',
            value: stored_at === null ? 'No copy outside this server' : <DateTime at={stored_at} />,
          },
          ...(chain === null
            ? []
            : [
                {
                  label: 'Chain',
                  value: chain.base_id === null ? 'Base copy of a new chain' : 'Builds on a base copy',
                },
                { label: 'Restorable from', value: <DateTime at={chain.from} /> },
                { label: 'Restorable until', value: <DateTime at={chain.until} /> },
              ]),
          ...(reason === null ? [] : [{ label: 'Reason', value: reason, wide: true }]),
          { label: 'SHA-256', id: sha256, value: sha256 === null ? null : undefined, wide: true },
        ]}
      />
      {backup.totals.length === 0 ? null : (
        <Table
          caption="Money totals"
          heads={['What', 'Rows', 'Total']}
          rows={backup.totals.map(({ what, key, rows: count, amount }) => [
            `${what} · ${key}`.replaceAll('_', ' '),
            formatCount(count),
            totalText(key, amount),
          ])}
        />
      )}
      {backup.tables.length === 0 ? null : (
        <Table
          caption="Rows by table"
          heads={['Table', 'Rows']}
          rows={backup.tables.filter((table) => table.rows > 0).map((table) => [table.name, formatCount(table.rows)])}
        />
      )}
    </div>
  )
}

/** Minor units, of the currency that the key ends with; MRR has parts of one. */
function totalText(key: string, amount: string): string {
  const currency = key.split(' ').at(-1) ?? ''
  return /^[a-z]{3}$/.test(currency) ? formatMoneyWithCode(Math.round(Number(amount)), currency) : amount
}

type TableProps = { caption: string; heads: readonly string[]; rows: readonly (readonly string[])[] }

function Table({ caption, heads, rows }: TableProps) {
  return (
    <table className={css['table']}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...others]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {others.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

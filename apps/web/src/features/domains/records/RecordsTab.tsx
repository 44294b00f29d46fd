import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord } from '@agency/contract/types'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { Age } from '../../../ui/Age.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { LastChange, useUndoChange } from '../LastChange.tsx'
import { useDomainDenials } from '../use-domain-denials.ts'
import { RecordActions } from './RecordActions.tsx'
import { type RecordAct, RecordRow } from './RecordRow.tsx'
import css from './records.module.css'

const RecordDialog = lazy(() => import('./RecordDialog.tsx').then((m) => ({ default: m.RecordDialog })))
const ImportDialog = lazy(() => import('./ImportZoneFileDialog.tsx').then((m) => ({ default: m.ImportZoneFileDialog })))
const DeleteDialog = lazy(() => import('./DeleteRecordDialog.tsx').then((m) => ({ default: m.DeleteRecordDialog })))

const perPage = 100
const headers = ['Type', 'Name', 'Content', 'TTL', 'Proxy']

type Props = { id: string; domain: string | undefined }
type Act = { kind: 'add' | 'import' } | RecordAct

export function RecordsTab({ id, domain }: Props) {
  const [page, setPage] = useState(1)
  const [act, setAct] = useState<Act>()
  const client = useQueryClient()
  const denial = useDomainDenials().records
  const query = q(dnsRecords.listDomainRecords, { params: { id }, query: { page } })
  const list = useQuery({ ...query, placeholderData: keepPreviousData })
  const undoing = useUndoChange(id)
  const { handleDone } = undoing
  const reload = async (recordId: string): Promise<DnsRecord> => {
    const { records } = await client.fetchQuery({ ...query, staleTime: 0 })
    const record = records.find((each) => each.id === recordId)
    if (!record) throw new Error('The record does not exist any more')
    return record
  }
  const handleConflict = () => void list.refetch()

  if (!list.data && list.error) return <SectionError error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <SkeletonLines count={8} />
  const { records, total, has_more, fetched_at, last_change } = list.data
  const shown = total ?? records.length
  const closeAct = () => setAct(undefined)
  return (
    <>
      <ListFailure
        error={list.error}
        what="the DNS records"
        at={list.dataUpdatedAt}
        onRetry={() => void list.refetch()}
      />
      <div className={css['head']}>
        <p className={css['count']}>
          {formatCount(shown)} {shown === 1 ? 'record' : 'records'} <Age at={fetched_at} />
        </p>
        <RecordActions zoneId={id} denial={denial} onAct={(kind) => setAct({ kind })} />
      </div>
      {last_change ? <LastChange change={last_change} undoing={undoing} /> : null}
      {records.length === 0 ? (
        <p className={css['muted']}>This domain has no DNS records.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className={css['scroll']} aria-label="DNS records" tabIndex={0}>
          <table className={css['records']}>
            <thead>
              <tr>
                {headers.map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
                <th scope="col" className={css['menu']}>
                  Actions
                </th>
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <RecordRow
                  key={record.id}
                  {...{ record, domain, denial }}
                  zoneId={id}
                  onAct={setAct}
                  onDone={handleDone}
                  onConflict={handleConflict}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {page > 1 || has_more ? (
        <div className={css['pager']}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous {perPage}
          </Button>
          <Button disabled={!has_more} onClick={() => setPage(page + 1)}>
            Next {perPage}
          </Button>
        </div>
      ) : null}
      <Suspense>
        {act?.kind === 'import' ? <ImportDialog zoneId={id} onClose={closeAct} /> : null}
        {act && domain !== undefined && (act.kind === 'add' || act.kind === 'edit') ? (
          <RecordDialog
            zoneId={id}
            domain={domain}
            {...(act.kind === 'edit' && { record: act.record })}
            reload={reload}
            onDone={handleDone}
            onClose={closeAct}
          />
        ) : null}
        {act?.kind === 'delete' ? (
          <DeleteDialog
            zoneId={id}
            record={records.find((record) => record.id === act.record.id) ?? act.record}
            onConflict={handleConflict}
            onDone={handleDone}
            onClose={closeAct}
          />
        ) : null}
      </Suspense>
    </>
  )
}

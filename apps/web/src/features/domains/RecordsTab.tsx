import * as domains from '@agency/contract/descriptors/domains'
import type { DnsRecord } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './domains.module.css'

const automatic = 1
const perPage = 100

/** As name servers and Cloudflare write it: without the domain's own name, which is every record's end. */
const nameWithin = (name: string, domain: string | undefined): string =>
  name === domain ? '@' : domain !== undefined && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

type Props = { id: string; domain: string | undefined }

export function RecordsTab({ id, domain }: Props) {
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...q(domains.listDomainRecords, { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
  })
  if (list.error) return <SectionError error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <SkeletonLines count={8} />
  const { records, total, has_more, fetched_at } = list.data
  if (records.length === 0) return <p className={css['muted']}>This domain has no DNS records.</p>
  return (
    <>
      <p className={css['count']}>
        {total === null ? formatCount(records.length) : formatCount(total)} {total === 1 ? 'record' : 'records'}{' '}
        <Age at={fetched_at} />
      </p>
      <Records records={records} domain={domain} />
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
    </>
  )
}

function Records({ records, domain }: { records: readonly DnsRecord[]; domain: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={css['scroll']} aria-label="DNS records" tabIndex={0}>
      <table className={css['records']}>
        <thead>
          <tr>
            {['Type', 'Name', 'Content', 'TTL', 'Proxy'].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <td>{record.type}</td>
              <td className={css['code']} title={record.name}>
                <bdi>{nameWithin(record.name, domain)}</bdi>
              </td>
              <td className={css['code']}>
                {record.priority === null ? '' : `${record.priority} `}
                <bdi>{record.content ?? '–'}</bdi>
                {record.comment ? <p className={css['muted']}>{record.comment}</p> : null}
              </td>
              <td>{record.ttl === null ? '–' : record.ttl === automatic ? 'Auto' : `${formatCount(record.ttl)} s`}</td>
              <td>{record.proxied === null ? '–' : record.proxied ? 'Proxied' : 'DNS only'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

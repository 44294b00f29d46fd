import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord } from '@agency/contract/types'
import { formatCount } from '../../../lib/format.ts'
import { useCall } from '../../../lib/use-call.ts'
import type { Action } from '../../../ui/action.ts'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import type { Done } from '../LastChange.tsx'
import { shownOf, withProxy } from './record-form.ts'
import { isProxiable, isWritable, nameWithin, recordTitle } from './record-words.ts'
import css from './records.module.css'

const automatic = 1
const longestLabel = 40

export type RecordAct = { kind: 'edit' | 'delete'; record: DnsRecord }

type Props = {
  record: DnsRecord
  zoneId: string
  domain: string | undefined
  denial: string | undefined
  onAct: (act: RecordAct) => void
  onDone: Done
  onConflict: () => void
}

export function RecordRow(props: Props) {
  const { record, domain } = props
  const name = nameWithin(record.name, domain)
  const value = [record.priority, record.content].filter((part) => part !== null).join(' ')
  return (
    <tr>
      <td>{record.type}</td>
      <td className={css['code']} title={record.name}>
        <bdi>{name}</bdi>
      </td>
      <td className={css['code']}>
        {record.priority === null ? '' : `${record.priority} `}
        <bdi>{record.content ?? '–'}</bdi>
        {record.comment ? <p className={css['muted']}>{record.comment}</p> : null}
      </td>
      <td>{record.ttl === null ? '–' : record.ttl === automatic ? 'Auto' : `${formatCount(record.ttl)} s`}</td>
      <td>{record.proxied === null ? '–' : record.proxied ? 'Proxied' : 'DNS only'}</td>
      <td className={css['menu']}>
        <MoreMenu
          small
          label={`Actions for ${[record.type, name, value].join(' ').slice(0, longestLabel)}`}
          actions={useRecordActions(props)}
        />
      </td>
    </tr>
  )
}

/** Each row switches its proxy by itself, also while another one does. */
function useRecordActions({ record, zoneId, domain, denial, onAct, onDone, onConflict }: Props): Action[] {
  const change = useCall(dnsRecords.updateRecord, [dnsRecords.listDomainRecords])
  const { type, proxied } = record
  const disabledReason = denial ?? (isWritable(type) ? undefined : `Change ${type} records in Cloudflare`)
  const switchProxy = () =>
    change.mutate(
      {
        params: { id: zoneId, record: record.id },
        body: { shown: shownOf(record), record: withProxy(record, domain ?? '', !proxied) },
      },
      {
        // Said even if the list is closed meanwhile.
        success: (_toasts, answer) =>
          onDone(`Switched the proxy ${proxied ? 'off' : 'on'} for ${recordTitle(record)}`, answer),
        onError: ({ status }) => {
          if (status === 409) onConflict()
        },
        failure: 'The proxy could not be switched',
      },
    )
  return [
    { label: 'Edit', disabledReason, onSelect: () => onAct({ kind: 'edit', record }) },
    ...(isProxiable(type)
      ? [{ label: proxied ? 'Switch proxy off' : 'Switch proxy on', disabledReason, onSelect: switchProxy }]
      : []),
    {
      label: 'Delete',
      disabledReason,
      destructive: true,
      divider: true,
      onSelect: () => onAct({ kind: 'delete', record }),
    },
  ]
}

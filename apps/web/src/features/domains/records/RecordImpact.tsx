import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { q } from '../../../lib/api.ts'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { useRested } from '../../../lib/use-rested.ts'
import type { RecordValues } from './record-form.ts'
import { impactSentences } from './record-words.ts'
import css from './records.module.css'

type Props = { form: EditForm<RecordValues>; zoneId: string; record: DnsRecord | undefined }

/** As much of it as says what a record is for. */
const longestContent = 255
/** Cloudflare is asked each time. */
const pauseMs = 500

/** What saving would touch, while it is typed. */
export function RecordImpact({ form, zoneId, record }: Props) {
  const [type, typedName, typedContent] = useWatch({ control: form.control, name: ['type', 'name', 'content'] })
  const name = useRested(typedName.trim(), pauseMs)
  const content = useRested(typedContent.trim().slice(0, longestContent), pauseMs)
  const preview = useQuery({
    ...q(dnsRecords.previewRecord, { params: { id: zoneId }, query: { record: record?.id, type, name, content } }),
    enabled: name !== '',
    placeholderData: keepPreviousData,
  })
  if (preview.isError) return <p className={css['impact']}>What this affects could not be loaded</p>
  if (!preview.data) return null
  return (
    <section className={css['impact']} aria-label="What this affects" aria-live="polite">
      <ul>
        {impactSentences(preview.data, record === undefined).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { ZoneFileEntry } from '@agency/contract/types'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { BulkDialog } from '../../../ui/bulk/BulkDialog.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import css from './records.module.css'

type Props = { zoneId: string; onClose: () => void }

/** Reads a zone file, shows what of it would be added, and adds that record by record. */
export function ImportZoneFileDialog({ zoneId, onClose }: Props) {
  const [text, setText] = useState('')
  const read = useCall(dnsRecords.readZoneFile)
  const entries = read.data?.entries ?? []
  if (entries.length > 0) return <AddRecords zoneId={zoneId} entries={entries} onClose={onClose} />
  const handleFile = (file: File | undefined) => {
    if (file) void file.text().then(setText)
  }
  return (
    <FormDialog
      title="Import zone file"
      intro="Existing records stay unchanged. Nothing is added before the next step."
      submitLabel="Read file"
      wide
      pending={read.isPending}
      error={read.error ?? (read.data ? { message: 'No records in this file' } : null)}
      blocked={text.trim() === '' ? 'Choose a file or paste one' : undefined}
      onSubmit={() => read.mutate({ params: { id: zoneId }, body: { text } })}
      onClose={onClose}
    >
      <label className={css['file']}>
        <span>Zone file</span>
        <input
          type="file"
          accept=".zone,.db,.txt,text/plain"
          onChange={(event) => handleFile(event.target.files?.[0])}
        />
      </label>
      <InputField
        label="Records"
        value={text}
        onChange={setText}
        multiline
        minRows={8}
        maxRows={16}
        spellCheck={false}
        autoComplete="off"
        placeholder="www 3600 IN A 203.0.113.7"
      />
    </FormDialog>
  )
}

type AddProps = Props & { entries: readonly ZoneFileEntry[] }

/** What is added comes first, then what is left out: of a whole file that may be most. */
function AddRecords({ zoneId, entries, onClose }: AddProps) {
  const [rows] = useState(() =>
    entries
      .map((entry) => ({ ...entry, id: String(entry.line) }))
      .toSorted((a, b) => Number(a.record === null) - Number(b.record === null)),
  )
  return (
    <BulkDialog
      rows={rows}
      onDone={() => {}}
      onClose={onClose}
      title="Import zone file"
      verb="Add"
      unit={['record', 'records']}
      nameOf={({ title }) => title}
      planOf={({ record, detail, line }) => (record ? { lines: [detail] } : { blocked: `Line ${line}: ${detail}` })}
      stale={[dnsRecords.listDomainRecords]}
      send={({ record, title }, idempotencyKey) => {
        if (!record) return Promise.resolve('Left out')
        const input = { params: { id: zoneId }, body: { record } }
        return call(dnsRecords.createRecord, input, { idempotencyKey }).then(() => `Added ${title}`)
      }}
    />
  )
}

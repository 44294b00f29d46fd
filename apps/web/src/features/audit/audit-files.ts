import * as audit from '@agency/contract/descriptors/audit'
import type { ExportFile } from '../../lib/list/use-export.ts'

const newline = 0x0a

function lineCounter(): (bytes: Uint8Array) => number {
  let lines = 0
  return (bytes) => {
    for (const byte of bytes) if (byte === newline) lines += 1
    return lines
  }
}

type AuditFile = ExportFile<typeof audit.exportAudit | typeof audit.exportAuditLines>

export const auditFiles: Record<'csv' | 'jsonl', AuditFile> = {
  csv: { endpoint: audit.exportAudit, name: 'audit.csv' },
  jsonl: { endpoint: audit.exportAuditLines, name: 'audit.jsonl', counter: lineCounter },
}

import { randomUUID } from 'node:crypto'
import {
  type Exported,
  type ExportFormat,
  type ExportKind,
  type ExportOrder,
  exportFormats,
} from '@agency/contract/exports'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import type { AnyExport } from '../../../platform/export-kind.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { makeJob } from '../job-settings.ts'
import { type Kinds, makeExport } from '../make-export.ts'
import { countOpenOf, type ExportRow, findExport, insertExport } from '../queries/exports.ts'
import { needKindsPermission } from './kinds-permission.ts'
import { getShown } from './own-exports.ts'

/** One that asks for more has most likely a script that runs wild. */
const mostOpen = 10
const tableFormats: readonly ExportFormat[] = ['csv', 'json', 'xlsx', 'pdf']

type Ordered = { kind: ExportKind; format: ExportFormat; parameters: ExportOrder['parameters'] }

function kindOf(kinds: Kinds, { kind: name, format }: Ordered): AnyExport {
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw invalidParameter('kind', 'is not one that this console makes')
  if (!(kind.formats ?? tableFormats).includes(format))
    throw invalidParameter(
      'format',
      `must be one of ${exportFormats.filter((one) => (kind.formats ?? tableFormats).includes(one)).join(', ')} here`,
    )
  return kind
}

/** Refuses what the schema of the parameters alone cannot, before anything is written down. Answers which one of several it is of. */
async function checkAgainstData(
  ctx: RequestContext,
  kind: AnyExport,
  { parameters }: Ordered,
): Promise<string | undefined> {
  await kind.subtitle?.(ctx, parameters)
  return kind.subject?.(ctx, parameters)
}

const fileNameOf = ({ fileName }: AnyExport, subject: string | undefined, end: string): string =>
  [fileName, subject?.replace(/[^a-z0-9.-]/gi, '-').slice(0, 80), end].filter(Boolean).join('-')

/** Writes down what is wanted; a job makes it. */
export async function createExport(
  ctx: RequestContext,
  kinds: Kinds,
  ordered: Ordered,
  claim: Claim | null,
): Promise<Exported> {
  const kind = kindOf(kinds, ordered)
  await needKindsPermission(ctx, kind.permission, { action: 'export.create', id: kind.kind })
  const id = `exp_${randomUUID().replaceAll('-', '')}`
  const subject = await checkAgainstData(ctx, kind, ordered)
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    if ((await countOpenOf(tx)) >= mostOpen)
      throw new AppError('too_many_requests', `You have ${mostOpen} exports running. Wait for one to finish.`, {
        retryAfter: 15,
      })
    await writeDown(tx, kind, ordered, { id, subject })
    await tx.jobs.enqueue(tx, makeJob, { id })
  })
  return getShown(ctx, id)
}

async function writeDown(
  tx: TransactionContext,
  kind: AnyExport,
  { format, parameters }: Ordered,
  { id, subject }: { id: string; subject: string | undefined },
): Promise<void> {
  const title = subject === undefined ? kind.title : `${kind.title}: ${subject}`
  const now = new Date(tx.clock())
  await insertExport(tx, {
    ...{ id, kind: kind.kind, title, format, parameters: JSON.stringify(parameters), state: 'queued' },
    ...{ permission: kind.permission, created_at: now },
    ...{ maker_type: tx.actor.type, maker_id: tx.actor.id, maker_name: tx.actor.name },
    file_name: fileNameOf(kind, subject, `${now.toISOString().slice(0, 10)}.${format}`),
  })
  const after = { kind: kind.kind, title, format, parameters }
  await recordAudit(tx, { action: 'export.create', resource: 'export', id, after })
}

/**
 * For work that needs the file itself and can wait: writes the export down under an id of its own, once, and makes it in
 * this process. Answers how it stands; another process may be making it.
 */
export async function makeUnder(
  ctx: RequestContext,
  kinds: Kinds,
  id: string,
  ordered: Ordered,
): Promise<ExportRow | undefined> {
  const kind = kindOf(kinds, ordered)
  await needKindsPermission(ctx, kind.permission, { action: 'export.create', id: kind.kind })
  const subject = await checkAgainstData(ctx, kind, ordered)
  await inTransaction(ctx, async (tx) => {
    if (!(await findExport(tx, id))) await writeDown(tx, kind, ordered, { id, subject })
  })
  await makeExport(ctx, kinds, id, new AbortController().signal)
  return findExport(ctx, id)
}

import type { dnsRecords, zoneSettings } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { ShownRecord } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { type Change, findChange, findNewest } from '../queries/changes.ts'
import { type Answered, isAsWanted, sentAgain, toSent, toShown } from '../record.ts'
import { isSettable, type SettingState } from '../setting.ts'
import { type Answer, answerOf, carryOut } from './carry-out.ts'
import { begin, beginAgain, type Deed } from './change-record.ts'
import { settleOpen } from './settle-open.ts'
import { undoRefusal } from './undo-rules.ts'
import { getZone, type Zone } from './zone.ts'

async function perform(
  ctx: RequestContext,
  zone: Zone,
  deed: Deed,
  options: Parameters<typeof begin>[3],
): Promise<Answer> {
  await settleOpen(ctx, zone.gateway, zone.id)
  return carryOut(ctx, zone.gateway, await begin(ctx, zone, deed, options), { isFirst: true })
}

export async function createRecord(
  ctx: RequestContext,
  zoneId: string,
  { record }: BodyOf<typeof dnsRecords.createRecord>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  return perform(ctx, zone, { kind: 'create', wanted: toSent(record, zone.name) }, { claim })
}

const asAnswered = (id: string, shown: ShownRecord): Answered => ({ id, ...shown }) as Answered

export async function updateRecord(
  ctx: RequestContext,
  { id, record: recordId }: { id: string; record: string },
  { shown, record }: BodyOf<typeof dnsRecords.updateRecord>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, id)
  if (record.type !== shown.type)
    throw invalidParameter('record.type', 'stays as it is: delete this record and add another one')
  const wanted = toSent(record, zone.name)
  if (isAsWanted(asAnswered(recordId, shown), wanted))
    throw new AppError('invalid_request', 'Nothing was changed in this record')
  return perform(ctx, zone, { kind: 'update', recordId, shown, wanted }, { claim })
}

export async function deleteRecord(
  ctx: RequestContext,
  zoneId: string,
  { shown: { id: recordId, ...shown } }: BodyOf<typeof dnsRecords.deleteRecord>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  return perform(ctx, zone, { kind: 'delete', recordId, shown }, { claim })
}

/** Sets a setting that is still as it was shown. */
export async function changeSetting(
  ctx: RequestContext,
  zoneId: string,
  { name: setting, shown, value }: BodyOf<typeof zoneSettings.changeZoneSetting>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  if (shown === value) throw new AppError('invalid_request', 'Nothing was changed in this setting')
  const deed = { kind: 'set', shown: { setting, value: shown }, wanted: { setting, value } } as const
  return perform(ctx, zone, deed, { claim })
}

function inverseOfSetting(before: SettingState, after: SettingState): Deed {
  if (!isSettable(before)) throw new AppError('conflict', 'This value can only be set in Cloudflare')
  return { kind: 'set', shown: after, wanted: before }
}

/** What puts back exactly what stood before. */
function inverseOf({ kind, record_id, before, after }: Change): Deed {
  if (kind === 'set') return inverseOfSetting(before as unknown as SettingState, after as unknown as SettingState)
  const recordId = record_id ?? ''
  if (kind === 'create') return { kind: 'delete', recordId, shown: toShown(after as unknown as Answered) }
  const wanted = sentAgain(before as unknown as Answered)
  if (!wanted) throw new AppError('conflict', 'Records of this type can only be added in Cloudflare')
  return kind === 'delete'
    ? { kind: 'create', wanted }
    : { kind: 'update', recordId, shown: toShown(after as unknown as Answered), wanted }
}

export async function undoChange(
  ctx: RequestContext,
  zoneId: string,
  changeId: string,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  const change = await findChange(ctx.db, zone.id, changeId)
  if (!change) throw notFound(`Change ${changeId}`)
  const refusal = undoRefusal(change, await findNewest(ctx.db, zone.id), ctx.clock())
  if (refusal) throw refusal
  return perform(ctx, zone, inverseOf(change), { claim, undone: change })
}

/** What became of a change; one of which nobody knows is looked at, and sent again only if it did not happen. */
export async function repeatChange(ctx: RequestContext, zoneId: string, changeId: string): Promise<Answer> {
  const change = await beginAgain(ctx, changeId)
  if (change.state !== 'started') return answerOf(change)
  const { gateway } = await getZone(ctx, zoneId)
  return carryOut(ctx, gateway, change, { isFirst: false })
}

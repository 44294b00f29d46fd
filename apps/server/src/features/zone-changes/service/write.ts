import type { dnsRecords, zoneSettings } from '@agency/contract'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { ShownRecord } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { type Change, findChange, findNewest } from '../queries/changes.ts'
import { type Answered, isAsWanted, sentAgain, toRecord, toSent, toShown } from '../record.ts'
import { isSettable, type SettingState } from '../setting.ts'
import { addition, deletion, edit } from '../ways/records.ts'
import { setting as settingChange } from '../ways/settings.ts'
import type { Deed } from '../ways/way.ts'
import { makeAgain, makeChange } from './make-change.ts'
import { undoRefusal, undoUntil } from './undo-rules.ts'
import { getZone } from './zone.ts'

type Answer = ResponseOf<typeof dnsRecords.updateRecord>

function answerOf(change: Change): Answer {
  const { id, kind, after } = change
  const record = after && kind !== 'set' ? toRecord(after as unknown as Answered) : null
  return { change_id: id, record, undo_until: undoUntil(change) }
}

const perform = async (...change: Parameters<typeof makeChange>): Promise<Answer> =>
  answerOf(await makeChange(...change))

export async function createRecord(
  ctx: RequestContext,
  zoneId: string,
  { record }: BodyOf<typeof dnsRecords.createRecord>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  return perform(ctx, zone, addition(toSent(record, zone.name)), { claim })
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
  return perform(ctx, zone, edit(recordId, shown, wanted), { claim })
}

export async function deleteRecord(
  ctx: RequestContext,
  zoneId: string,
  { shown: { id: recordId, ...shown } }: BodyOf<typeof dnsRecords.deleteRecord>,
  claim: Claim | null,
): Promise<Answer> {
  const zone = await getZone(ctx, zoneId)
  return perform(ctx, zone, deletion(recordId, shown), { claim })
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
  return perform(ctx, zone, settingChange(zone.name, { setting, value: shown }, { setting, value }), { claim })
}

function inverseOfSetting(zone: string, before: SettingState, after: SettingState): Deed {
  if (!isSettable(before)) throw new AppError('conflict', 'This value can only be set in Cloudflare')
  return settingChange(zone, after, before)
}

/** What puts back exactly what stood before. */
function inverseOf({ kind, zone_name, record_id, before, after }: Change): Deed {
  if (kind === 'set')
    return inverseOfSetting(zone_name, before as unknown as SettingState, after as unknown as SettingState)
  const recordId = record_id ?? ''
  if (kind === 'create') return deletion(recordId, toShown(after as unknown as Answered))
  const wanted = sentAgain(before as unknown as Answered)
  if (!wanted) throw new AppError('conflict', 'Records of this type can only be added in Cloudflare')
  return kind === 'delete' ? addition(wanted) : edit(recordId, toShown(after as unknown as Answered), wanted)
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

export const repeatChange = async (ctx: RequestContext, zoneId: string, changeId: string): Promise<Answer> =>
  answerOf(await makeAgain(ctx, changeId, async () => (await getZone(ctx, zoneId)).gateway))

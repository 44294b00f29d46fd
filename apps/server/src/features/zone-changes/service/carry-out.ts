import type { dnsRecords } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { type ErrorCode, errorCodes } from '@agency/contract/errors'
import type { ShownRecord } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Change } from '../queries/changes.ts'
import { type Answered, isAsShown, isAsWanted, isTwin, recordLine, type Sent, toRecord, toShown } from '../record.ts'
import type { SettingState } from '../setting.ts'
import { keepBefore, type Outcome, settle, type Told } from './change-record.ts'
import { undoUntil } from './undo-rules.ts'
import { lacksRight } from './zone.ts'

export type Answer = ResponseOf<typeof dnsRecords.updateRecord>

/** Whether the record or setting is as before the change, as the change wants it, or neither; null: it is not there. */
export type Found = { is: 'before' | 'wanted' | 'other'; now: Told | null }

const wantedOf = ({ wanted }: Change): Sent => wanted as unknown as Sent
const shownOf = ({ shown }: Change): ShownRecord => shown as unknown as ShownRecord

const seenOf = ({ shown }: Change): SettingState => shown as unknown as SettingState
const settingOf = ({ wanted }: Change): SettingState => wanted as unknown as SettingState

async function lookAtSetting(gateway: CloudflareGateway, change: Change): Promise<Found> {
  const { setting, value } = settingOf(change)
  const now = { setting, value: await gateway.getSetting(change.zone_id, setting) }
  if (now.value === value) return { is: 'wanted', now }
  return { is: now.value === seenOf(change).value ? 'before' : 'other', now }
}

/** Reads the record anew. What is added has no id yet, so it is looked up by what it is. */
export async function look(gateway: CloudflareGateway, change: Change): Promise<Found> {
  if (change.kind === 'set') return lookAtSetting(gateway, change)
  if (change.kind === 'create') {
    const wanted = wantedOf(change)
    const rows = await gateway.findRecords(change.zone_id, wanted.type, wanted.name)
    const twin = rows.find((row) => isTwin(row, wanted))
    return { is: twin ? 'wanted' : 'before', now: twin ?? null }
  }
  const record = await gateway.findRecord(change.zone_id, change.record_id ?? '')
  if (record === null) return { is: change.kind === 'delete' ? 'wanted' : 'other', now: record }
  if (isAsShown(record, shownOf(change))) return { is: 'before', now: record }
  return { is: change.kind === 'update' && isAsWanted(record, wantedOf(change)) ? 'wanted' : 'other', now: record }
}

async function send(gateway: CloudflareGateway, change: Change): Promise<Told | null> {
  if (change.kind === 'set') {
    const { setting, value } = settingOf(change)
    return { setting, value: await gateway.changeSetting(change.zone_id, setting, value) }
  }
  if (change.kind === 'create') return gateway.createRecord(change.zone_id, wantedOf(change))
  const id = change.record_id ?? ''
  if (change.kind === 'update') return gateway.editRecord(change.zone_id, id, wantedOf(change))
  await gateway.deleteRecord(change.zone_id, id)
  return null
}

/** Both versions: what somebody saw, and what stands there now. */
function conflictOf(change: Change, { now }: Found): Outcome {
  const failed = { state: 'failed', code: 'conflict' } as const
  if (change.kind === 'set') {
    const problem = `Somebody changed this setting meanwhile. You saw: ${seenOf(change).value}. Now: ${(now as SettingState).value}.`
    return { ...failed, problem, parameter: 'shown' }
  }
  const record = now as Answered | null
  if (change.kind === 'create')
    return {
      ...failed,
      problem: `${recordLine(toShown(record as Answered))} is there already.`,
      parameter: 'record.content',
    }
  const saw = `You saw: ${recordLine(shownOf(change))}.`
  const problem = record
    ? `Somebody changed this record meanwhile. ${saw} Now: ${recordLine(toShown(record))}.`
    : `Somebody deleted this record meanwhile. ${saw}`
  return { ...failed, problem, parameter: 'version' }
}

const unknownKinds = new Set(['unavailable', 'bad_answer'])
const fieldOf: Record<string, string> = {
  ...{ 9000: 'record.name', 81053: 'record.name', 81054: 'record.name', 81056: 'record.name', 81057: 'record.name' },
  ...{ 9003: 'record.proxied', 9004: 'record.proxied', 9021: 'record.ttl', 9309: 'record.comment' },
  ...{ 9005: 'record.content', 9006: 'record.content', 9007: 'record.content', 9008: 'record.content' },
  ...{ 9009: 'record.content', 9010: 'record.content', 9011: 'record.content', 9039: 'record.content' },
  81058: 'record.content',
}

const failureOf = (error: unknown): CloudflareError =>
  error instanceof CloudflareError
    ? error
    : new CloudflareError('unavailable', 'The change was cut off', { cause: error })

function rightOf({ kind, wanted }: Change, to: 'Read' | 'Edit'): string {
  if (kind !== 'set') return `DNS:${to}`
  return (wanted as unknown as SettingState).setting === 'paused' ? `Zone:${to}` : `Zone Settings:${to}`
}

function refusalOf(failure: CloudflareError, right: string): Outcome {
  const problem = lacksRight(failure) ? `No access: the token lacks ${right}` : failure.message
  return { state: 'failed', problem, code: failure.code, parameter: fieldOf[failure.providerCode ?? ''] }
}

const unknownOutcome = ({ message }: CloudflareError): Outcome => ({
  ...{ state: 'unknown', code: 'outcome_unknown' },
  problem: `${message}. Outcome unknown; trying again is safe`,
})

/** How a settled change is told to its caller. */
export function answerOf(change: Change): Answer {
  if (change.state === 'done') {
    const record = change.after && change.kind !== 'set' ? toRecord(change.after as unknown as Answered) : null
    return { change_id: change.id, record, undo_until: undoUntil(change) }
  }
  const code = errorCodes.find((known): known is ErrorCode => known === change.problem_code) ?? 'conflict'
  const { problem_parameter: parameter } = change
  throw new AppError(code, change.problem ?? 'This change is under way', parameter === null ? {} : { parameter })
}

/** What is found once an answer was lost, or a repeat was refused; null when that cannot be read either. */
const lookAfter = (gateway: CloudflareGateway, change: Change): Promise<Found | null> =>
  look(gateway, change).catch((error: unknown) => {
    if (error instanceof CloudflareError) return null
    throw error
  })

async function trySending(gateway: CloudflareGateway, change: Change, isFirst: boolean): Promise<Outcome> {
  try {
    return { state: 'done', after: await send(gateway, change) }
  } catch (error) {
    const failure = failureOf(error)
    const isLost = unknownKinds.has(failure.kind) && failure.mayHaveRun
    if (isLost || !isFirst) {
      const found = await lookAfter(gateway, change)
      if (found?.is === 'wanted') return { state: 'done', after: found.now }
    }
    return isLost ? unknownOutcome(failure) : refusalOf(failure, rightOf(change, 'Edit'))
  }
}

async function attempt(
  ctx: RequestContext,
  gateway: CloudflareGateway,
  change: Change,
  isFirst: boolean,
): Promise<Outcome> {
  let found: Found
  try {
    found = await look(gateway, change)
  } catch (error) {
    const failure = failureOf(error)
    // Nothing has been sent by a first try; of an earlier one nobody knows.
    return isFirst ? refusalOf(failure, rightOf(change, 'Read')) : unknownOutcome(failure)
  }
  if (!isFirst && found.is === 'wanted') return { state: 'done', after: found.now }
  if (found.is !== 'before') return conflictOf(change, found)
  await keepBefore(ctx, change, found.now)
  return trySending(gateway, change, isFirst)
}

/** Looks, sends once, and writes down what became of it. */
export async function carryOut(
  ctx: RequestContext,
  gateway: CloudflareGateway,
  change: Change,
  { isFirst }: { isFirst: boolean },
): Promise<Answer> {
  return answerOf(await settle(ctx, change, await attempt(ctx, gateway, change, isFirst)))
}

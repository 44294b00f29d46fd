import { type ErrorCode, errorCodes } from '@agency/contract/errors'
import type { RequestContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Change } from '../queries/changes.ts'
import type { Found } from '../ways/way.ts'
import { wayOf } from '../ways/ways.ts'
import { keepBefore, type Outcome, settle } from './change-record.ts'
import { lacksRight } from './zone.ts'

const unknownKinds = new Set(['unavailable', 'bad_answer'])

const failureOf = (error: unknown): CloudflareError =>
  error instanceof CloudflareError
    ? error
    : new CloudflareError('unavailable', 'The change was cut off', { cause: error })

function refusalOf(failure: CloudflareError, change: Change, to: 'Read' | 'Edit'): Outcome {
  const way = wayOf(change)
  const problem = lacksRight(failure) ? `No access: the token lacks ${way.rightOf(change, to)}` : failure.message
  return { state: 'failed', problem, code: failure.code, parameter: way.fieldOf(failure.providerCode ?? '') }
}

const unknownOutcome = ({ message }: CloudflareError): Outcome => ({
  ...{ state: 'unknown', code: 'outcome_unknown' },
  problem: `${message}. Outcome unknown; trying again is safe`,
})

/** A change that was made, for its caller; why it was not made is thrown. */
export function doneOf(change: Change): Change {
  if (change.state === 'done') return change
  const code = errorCodes.find((known): known is ErrorCode => known === change.problem_code) ?? 'conflict'
  const { problem_parameter: parameter } = change
  throw new AppError(code, change.problem ?? 'This change is under way', parameter === null ? {} : { parameter })
}

/** What is found once an answer was lost, or a repeat was refused; null when that cannot be read either. */
const lookAfter = (gateway: CloudflareGateway, change: Change): Promise<Found | null> =>
  wayOf(change)
    .look(gateway, change)
    .catch((error: unknown) => {
      if (error instanceof CloudflareError) return null
      throw error
    })

async function trySending(gateway: CloudflareGateway, change: Change, isFirst: boolean): Promise<Outcome> {
  try {
    return { state: 'done', after: await wayOf(change).send(gateway, change) }
  } catch (error) {
    const failure = failureOf(error)
    const isLost = unknownKinds.has(failure.kind) && failure.mayHaveRun
    if (isLost || !isFirst) {
      const found = await lookAfter(gateway, change)
      if (found?.is === 'wanted') return { state: 'done', after: found.now }
    }
    return isLost ? unknownOutcome(failure) : refusalOf(failure, change, 'Edit')
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
    found = await wayOf(change).look(gateway, change)
  } catch (error) {
    const failure = failureOf(error)
    // Nothing has been sent by a first try; of an earlier one nobody knows.
    return isFirst ? refusalOf(failure, change, 'Read') : unknownOutcome(failure)
  }
  if (!isFirst && found.is === 'wanted') return { state: 'done', after: found.now }
  if (found.is !== 'before')
    return { state: 'failed', code: 'conflict', ...wayOf(change).conflictOf(change, found.now) }
  await keepBefore(ctx, change, found.now)
  return trySending(gateway, change, isFirst)
}

/** Looks, sends once, and writes down what became of it. */
export async function carryOut(
  ctx: RequestContext,
  gateway: CloudflareGateway,
  change: Change,
  { isFirst }: { isFirst: boolean },
): Promise<Change> {
  return doneOf(await settle(ctx, change, await attempt(ctx, gateway, change, isFirst)))
}

import type { Problem } from '@agency/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { databaseFailureOf } from '../database-failure.ts'
import { AppError, titleOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { clearCache } from './security-headers.ts'

function fromZod(error: z.core.$ZodError): AppError {
  const issue = error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    const parameter = String(issue.keys[0])
    return new AppError('invalid_request', `${parameter} is not a known parameter`, { parameter })
  }
  const parameter = issue?.path.map(String).join('.') ?? ''
  const message = issue?.message ?? 'is not valid'
  return new AppError('invalid_request', parameter ? `${parameter}: ${message}` : message, { parameter })
}

function fromFastify(error: Error & { statusCode?: number }): AppError | undefined {
  if (error.statusCode === 413) return new AppError('payload_too_large', 'The request body is too large')
  if (error.statusCode === 404) return new AppError('not_found', 'There is nothing at this address')
  if (error.statusCode && error.statusCode < 500)
    return new AppError('invalid_request', 'The request could not be read')
  return undefined
}

/** A NUL, which an address may carry and no table can hold. */
const notText = '22021'

function fromDatabase(error: Error & { code?: unknown }): AppError | undefined {
  if (error.code === notText)
    return new AppError('invalid_request', 'The address holds characters that are no text', { cause: error })
  const failure = databaseFailureOf(error)
  return failure && new AppError('unavailable', failure.message, { retryAfter: failure.retryAfterS, cause: error })
}

/** Maps whatever was thrown to the one kind of error that answers are made of. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof z.core.$ZodError) return fromZod(error)
  if (error instanceof Error) {
    const known = fromFastify(error) ?? fromDatabase(error)
    if (known) return known
  }
  return new AppError('internal', 'Something went wrong. See the server log for the request id.', {
    cause: error,
  })
}

function toProblem(error: AppError, requestId: string, tellsSuccess: boolean): Problem {
  const { parameter, retryAfter, permission } = error.extras
  return {
    type: 'about:blank',
    title: titleOf[error.code],
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(parameter !== undefined && { parameter }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(permission !== undefined && { permission }),
    ...(tellsSuccess && { success: false as const, error: { message: error.message } }),
  }
}

const tellsSuccess = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions?.config as { tellsSuccess?: boolean } | undefined)?.tellsSuccess ?? false

/** Answers any failure as `application/problem+json` and logs what somebody has to look at. */
export function answerProblem(
  log: Logger,
  headers: Readonly<Record<string, string>>,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = toAppError(thrown)
  const about = { err: thrown, requestId: request.id, url: request.url }
  if (error.code === 'internal') log.error(about, 'request failed')
  if (error.code === 'unavailable' && error.extras.cause) log.warn(about, 'request failed without the database')
  if (error.extras.endsSession) reply.headers(clearCache)
  if (error.extras.retryAfter !== undefined) reply.header('retry-after', String(error.extras.retryAfter))
  return reply
    .code(error.status)
    .headers(headers)
    .header('x-request-id', request.id)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(toProblem(error, request.id, tellsSuccess(request))))
}

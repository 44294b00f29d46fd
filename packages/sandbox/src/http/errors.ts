export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  doc_url?: string
  decline_code?: string
  charge?: string
  payment_intent?: unknown
  request_log_url?: string
}

/** An answer in Stripe's error shape. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>
  /** Errors of validation and of limits happen before the work, so an idempotency key may be used again. */
  readonly kept: boolean

  constructor(status: number, body: ErrorBody, options: { headers?: Record<string, string>; kept?: boolean } = {}) {
    super(body.message)
    this.status = status
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
      : body
    this.headers = options.headers ?? {}
    this.kept = options.kept ?? false
  }
}

const invalid = (status: number, message: string, code?: string, param?: string) =>
  new ApiError(status, {
    type: 'invalid_request_error',
    message,
    ...(code ? { code } : {}),
    ...(param ? { param } : {}),
  })

export const unknownParameter = (param: string) =>
  invalid(400, `Received unknown parameter: ${param}`, 'parameter_unknown', param)

export const missingParameter = (param: string) =>
  invalid(400, `Missing required param: ${param}.`, 'parameter_missing', param)

export const bothCursors = () =>
  invalid(400, 'Received both starting_after and ending_before parameters. Please pass in only one.')

export const emptyParameter = (param: string) =>
  invalid(
    400,
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    'parameter_invalid_empty',
    param,
  )

export const badInteger = (param: string, value: string) =>
  invalid(400, `Invalid integer: ${value}`, 'parameter_invalid_integer', param)

export const badValue = (message: string, param: string, code?: string) => invalid(400, message, code, param)

const words: Record<string, string> = {
  'checkout.session': 'checkout.session',
  payment_intent: 'payment_intent',
  payment_link: 'payment link',
  webhook_endpoint: 'webhook endpoint',
  payment_method: 'PaymentMethod',
  promotion_code: 'promotion code',
}

/** 404 when the object is named by the address, 400 when by a parameter. */
export function noSuch(kind: string, id: string, param = 'id', status = 404): ApiError {
  return invalid(status, `No such ${words[kind] ?? kind}: '${id}'`, 'resource_missing', param)
}

/** A rule of the business refuses; the answer is kept under the idempotency key. */
export const refused = (message: string, code?: string, param?: string) =>
  new ApiError(
    400,
    { type: 'invalid_request_error', message, ...(code ? { code } : {}), ...(param ? { param } : {}) },
    { kept: true },
  )

export const unknownUrl = (method: string, path: string) =>
  invalid(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  )

export const noKey = () =>
  invalid(
    401,
    "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
  )

export function wrongKey(key: string): ApiError {
  const shown = key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}` : '****'
  return invalid(401, `Invalid API Key provided: ${shown}`)
}

export const tooMany = (reason: string, retryAfter?: number) =>
  new ApiError(
    429,
    {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    },
    {
      headers: {
        'stripe-rate-limited-reason': reason,
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      },
    },
  )

export const keyReused = (key: string) =>
  new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })

export const keyInUse = (key: string) =>
  new ApiError(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Stripe Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    { headers: { 'stripe-should-retry': 'true' } },
  )

export const serverError = (
  status = 500,
  message = 'An unknown error occurred. Please contact support@stripe.com if the error persists.',
) => new ApiError(status, { type: 'api_error', message })

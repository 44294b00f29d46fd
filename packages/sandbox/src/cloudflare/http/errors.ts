type Reason = { code: number; message: string }

/** An answer in Cloudflare's error shape. */
export class CloudflareError extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>
  readonly chain: readonly Reason[]

  constructor(
    status: number,
    code: number,
    message: string,
    headers: Record<string, string> = {},
    chain: readonly Reason[] = [],
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.chain = chain
  }
}

const error = (status: number, code: number, message: string) => new CloudflareError(status, code, message)

export const noAuthorization = () => error(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers')
export const badAuthorization = () => error(400, 6003, 'Invalid request headers')
export const invalidToken = () => error(401, 1000, 'Invalid API Token')
export const notAuthenticated = () => error(401, 10000, 'Authentication error')
export const notAllowed = () => error(403, 10000, 'Authentication error')

export const noRoute = (path: string) =>
  error(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`)
export const noMethod = () => error(405, 7001, 'Method not allowed')
export const unreadableBody = () => error(400, 9207, 'Could not parse the request body')
export const bodyTooLarge = () => error(413, 9208, 'The request body is too large')
export const badParameter = (message: string) => error(400, 1004, message)

export const noZone = () => error(404, 1001, 'Invalid zone identifier')
export const noRecord = () => error(404, 81044, 'Record does not exist.')
export const badRecord = (code: number, message: string) => error(400, code, message)
export const missingField = (name: string) => error(400, 9101, `${name} is a required data field.`)
/** Some refusals are wrapped: the reason stands in the chain of the error. */
export const badTtl = (least: number) =>
  new CloudflareError(400, 1004, 'DNS Validation Error', {}, [
    { code: 9021, message: `Invalid TTL. Must be between ${least} and 86400 seconds, or 1 for Automatic.` },
  ])
export const zoneExists = (name: string) => error(400, 1061, `${name} already exists`)
export const notRegistered = (name: string) => error(400, 1049, `${name} is not a registered domain`)
export const notPending = () => error(400, 1004, 'Only pending zones can be checked')
export const checkedAlready = () =>
  error(400, 1224, 'This request cannot be made because it can only be called once an hour')
export const badSetting = (id: string) => error(400, 1007, `Invalid value for zone setting ${id}`)
export const noSetting = () => error(404, 1007, 'Undefined zone setting')

export const badPage = () =>
  error(400, 8000024, 'Invalid list options provided. Review the `page` or `per_page` parameter.')
export const noProject = () =>
  error(404, 8000007, 'Project not found. The specified project name does not match any of your existing projects.')
export const noDeployment = () =>
  error(404, 8000009, 'The deployment ID you have specified does not exist. Update the deployment ID and try again.')
export const noDomain = () => error(404, 8000021, 'The domain you have specified is not set for this project.')
export const domainTaken = () => error(409, 8000018, 'You have already added this custom domain.')
export const badDomain = () => error(400, 8000020, 'The domain you have specified is not valid.')
export const notRollbackable = () =>
  error(400, 8000039, 'You can only roll back to a successful deployment of the production environment.')
export const alreadyInProduction = () => error(400, 8000040, 'This deployment is already in production.')
export const notRetryable = () => error(400, 8000037, 'A deployment that is still being built cannot be retried.')
export const liveDeployment = () =>
  error(400, 8000034, 'Unable to delete the deployment that is currently live in production.')
export const aliasedDeployment = () =>
  error(
    400,
    8000035,
    'You cannot delete an aliased deployment without a `?force=true` parameter in the API request URL.',
  )

export const tooMany = (retryAfter: number) =>
  new CloudflareError(429, 971, 'Please wait and consider throttling your request speed', {
    'retry-after': String(retryAfter),
  })
export const purgeLimited = (retryAfter: number) =>
  new CloudflareError(
    429,
    1134,
    'Unable to purge, rate limit reached. Please wait if you need to perform more operations.',
    { 'retry-after': String(retryAfter) },
  )

const words: Record<number, string> = {
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service temporarily unavailable',
  504: 'Gateway timeout',
}

export function ofStatus(status: number, message?: string): CloudflareError {
  if (status === 401) return notAuthenticated()
  if (status === 403) return notAllowed()
  return error(
    status,
    status >= 500 ? 10001 : 1004,
    message ?? words[status] ?? `The sandbox was told to answer ${status}`,
  )
}

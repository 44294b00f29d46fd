import { z } from 'zod'

export const cloudflareApi = 'https://api.cloudflare.com/client/v4'

export type CloudflareAccess = {
  apiToken: string
  accountId?: string | undefined
  apiBase?: string | undefined
  timeoutMs: number
}

export type Verified = {
  /** Whether the token is one at all; the rest is unknown if it is not. */
  isValid: boolean
  statuses: number[]
  /** undefined when its zones may not be read. */
  zones: { total: number; account: string | null } | undefined
}

const zonePage = z.object({
  success: z.literal(true),
  result: z.array(z.object({ account: z.object({ name: z.string().nullish() }).nullish() })),
  result_info: z.object({ total_count: z.int().nullish() }).nullish(),
})

/** Looks at what a token opens, without changing anything. Throws when Cloudflare cannot be reached. */
export async function verifyToken(access: CloudflareAccess): Promise<Verified> {
  const { accountId } = access
  // A token belongs to a person or to an account, and each is verified elsewhere.
  const paths = ['/user/tokens/verify', ...(accountId === undefined ? [] : [`/accounts/${accountId}/tokens/verify`])]
  const answers = await Promise.all(paths.map((path) => ask(access, path)))
  const statuses = answers.map(({ status }) => status)
  if (!statuses.includes(200)) return { isValid: false, statuses, zones: undefined }
  const { status, body } = await ask(access, '/zones?per_page=5')
  const page = zonePage.safeParse(body)
  if (status !== 200 || !page.success) return { isValid: true, statuses, zones: undefined }
  const { result, result_info } = page.data
  const zones = { total: result_info?.total_count ?? result.length, account: result[0]?.account?.name ?? null }
  return { isValid: true, statuses, zones }
}

async function ask({ apiBase = cloudflareApi, apiToken, timeoutMs }: CloudflareAccess, path: string) {
  const response = await fetch(`${apiBase}${path}`, {
    headers: { authorization: `Bearer ${apiToken}` },
    // The token is for the address that was given, not for one that it names.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return { status: response.status, body: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

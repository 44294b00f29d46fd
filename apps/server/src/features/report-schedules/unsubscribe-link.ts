import { timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'

const purpose = 'report unsubscribe link'
/** Of a signature, which the token begins with. */
const signatureLength = 43

/** Who stops which mails. */
export type Unsubscriber = { scheduleId: string; receiverId: string }

type Ctx = Pick<AppContext, 'instance'>

const sign = async (ctx: Ctx, named: string): Promise<string> =>
  (await ctx.instance(createSecretBox)).sign(purpose, named)

/** Only letters, digits, `-` and `_`: mail programs cut a link at other signs. */
async function tokenOf(ctx: Ctx, { scheduleId, receiverId }: Unsubscriber): Promise<string> {
  const named = Buffer.from(JSON.stringify([scheduleId, receiverId])).toString('base64url')
  return `${await sign(ctx, named)}${named}`
}

/** undefined unless it was made here. Compared as it is written, so nothing is read of a token that is not ours. */
export async function readToken(ctx: Ctx, token: string): Promise<Unsubscriber | undefined> {
  const named = token.slice(signatureLength)
  const [given, right] = [Buffer.from(token.slice(0, signatureLength)), Buffer.from(await sign(ctx, named))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  // What is signed was written above.
  const [scheduleId, receiverId] = JSON.parse(Buffer.from(named, 'base64url').toString('utf8')) as [string, string]
  return { scheduleId, receiverId }
}

type Linking = Ctx & Pick<AppContext, 'config'>

/** null while the console does not know its own address. */
export async function unsubscribeUrl(ctx: Linking, whose: Unsubscriber): Promise<string | null> {
  const { publicUrl } = ctx.config
  return publicUrl === undefined ? null : `${publicUrl}/unsubscribe/${await tokenOf(ctx, whose)}`
}

/** Of a preview: it looks like one and stops nothing. */
export const previewUrl = ({ config }: Linking): string | null =>
  config.publicUrl === undefined ? null : `${config.publicUrl}/unsubscribe/preview`

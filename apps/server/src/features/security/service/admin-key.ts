import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import {
  type AdminKeySetting,
  adminKeyActor,
  findAdminKeySetting,
  makeAdminKey,
  revokeSessionsOf,
  saveAdminKeySetting,
  superAdmin,
} from '../../auth/index.ts'
import { findLiveApiKeys } from '../queries/facts.ts'
import { countSuperAdminsWithFactor, lockSuperAdminsWithFactor } from '../queries/people.ts'
import { countLiveSessionsOf } from '../queries/sessions.ts'
import { findAdminKeyUse } from '../queries/sign-ins.ts'
import { recordEnded } from './sessions.ts'

const isOff = 'The admin key is switched off. Run `npm run admin-key` on the server to create a new one'

const fromEnvironment = 'The admin key comes from the environment: change ADMIN_KEY there and start the console again'
const tooFew = "Can't be switched off until a super admin uses two-step sign-in"

/** The admin key acts as a super admin, so nobody else may get hold of it or decide about it. */
function whyNotMine({ actor }: RequestContext): string | null {
  return actor.role === superAdmin ? null : 'Only a super admin can change the admin key'
}

function whyNotRotate(ctx: RequestContext, { enabled }: AdminKeySetting): string | null {
  const notMine = whyNotMine(ctx)
  if (notMine !== null) return notMine
  if (!enabled) return isOff
  return ctx.config.adminKey === undefined ? null : fromEnvironment
}

function whyNotDisable(ctx: RequestContext, { enabled }: AdminKeySetting, superAdmins: number): string | null {
  const notMine = whyNotMine(ctx)
  if (notMine !== null) return notMine
  if (!enabled) return isOff
  return superAdmins > 0 ? null : tooFew
}

async function getSetting(ctx: Pick<RequestContext, 'db'>): Promise<AdminKeySetting> {
  const setting = await findAdminKeySetting(ctx)
  if (!setting) throw notFound('An admin key')
  return setting
}

export async function getAdminKey(ctx: RequestContext) {
  const [setting, lastUse, liveSessions, apiKeys, superAdmins] = await Promise.all([
    getSetting(ctx),
    findAdminKeyUse(ctx),
    countLiveSessionsOf(ctx, adminKeyActor.id),
    findLiveApiKeys(ctx, new Date(ctx.clock())),
    countSuperAdminsWithFactor(ctx),
  ])
  return {
    enabled: setting.enabled,
    source: setting.source,
    set_at: setting.set_at,
    last_used_at: lastUse?.toISOString() ?? null,
    live_sessions: liveSessions,
    live_api_keys: apiKeys.filter(({ created_by }) => created_by === adminKeyActor.id).length,
    cannot_disable_reason: whyNotDisable(ctx, setting, superAdmins),
    cannot_rotate_reason: whyNotRotate(ctx, setting),
  }
}

/** An attempt is written down, although nothing comes of it. */
async function refuseLesser(ctx: RequestContext, action: string): Promise<void> {
  const reason = whyNotMine(ctx)
  if (reason === null) return
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, { action, resource: 'admin_key', id: adminKeyActor.id, outcome: 'denied', after: { reason } }),
  )
  throw new AppError('forbidden', reason)
}

/** Makes a new key. Sessions of the old one end, but for the one that asks. */
export async function rotateAdminKey(ctx: RequestContext): Promise<{ key: string; ended_sessions: number }> {
  await refuseLesser(ctx, 'admin_key.replace')
  const answer = await inTransaction(ctx, async (tx) => {
    const why = whyNotRotate(ctx, await getSetting(tx))
    if (why !== null) throw new AppError('conflict', why)
    const key = await makeAdminKey(tx)
    const ended = await revokeSessionsOf(tx, adminKeyActor.id, 'admin_key_replaced', tx.actor.sessionId)
    await recordEnded(tx, ended, 'admin_key_replaced')
    return { key, ended_sessions: ended.length }
  })
  ctx.changes.tell('sessions')
  return answer
}

/** Switches the key off; all of its sessions end, also the one that asks, and the API keys made with it do nothing more. */
export async function disableAdminKey(ctx: RequestContext): Promise<{ ended_sessions: number }> {
  await refuseLesser(ctx, 'admin_key.disable')
  const answer = await inTransaction(ctx, async (tx) => {
    const setting = await getSetting(tx)
    const why = whyNotDisable(ctx, setting, await lockSuperAdminsWithFactor(tx))
    if (why !== null) throw new AppError('conflict', why)
    await saveAdminKeySetting(tx, { ...setting, enabled: false })
    const ended = await revokeSessionsOf(tx, adminKeyActor.id, 'admin_key_off')
    await recordAudit(tx, {
      action: 'admin_key.disable',
      resource: 'admin_key',
      id: adminKeyActor.id,
      after: { ended_sessions: ended.length },
    })
    await recordEnded(tx, ended, 'admin_key_off')
    return { ended_sessions: ended.length }
  })
  ctx.changes.tell('sessions')
  return answer
}

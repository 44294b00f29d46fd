import type { SessionState } from '@agency/contract/auth'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { sessionLimits } from '../idle.ts'
import { findHolderById, type HolderRow } from '../queries/holders.ts'
import { countRecoveryCodes } from '../queries/people.ts'
import { findSession, findStripeAccount, type SessionRow } from '../queries/sessions.ts'

export async function describeSession(ctx: RequestContext): Promise<SessionState> {
  const { actor, config } = ctx
  if (actor.type !== 'admin_key' && actor.type !== 'user' && actor.type !== 'api_key')
    throw new AppError('unauthenticated', 'Sign in first')
  const [account, row, holder] = await Promise.all([
    findStripeAccount(ctx),
    actor.sessionId === undefined ? undefined : findSession(ctx, actor.sessionId),
    actor.sessionId === undefined || actor.type !== 'user' ? undefined : findHolderById(ctx, actor.sessionId),
  ])
  return {
    actor: { type: actor.type, id: actor.id, name: actor.name, role: actor.role, permissions: [...actor.permissions] },
    stage: actor.stage ?? 'open',
    user: holder ? await describeUser(ctx, holder) : null,
    version: config.version,
    mode: config.mode,
    time_zone: config.settings.timeZone,
    stripe_account: config.mode === 'demo' ? null : account,
    session: row ? describeLimits(ctx, row) : null,
  }
}

async function describeUser(ctx: RequestContext, holder: HolderRow): Promise<NonNullable<SessionState['user']>> {
  return {
    id: holder.actor_id,
    email: holder.user_email ?? '',
    role_name: holder.user_role_name ?? '',
    theme: holder.user_theme ?? 'system',
    second_factor: {
      enabled: holder.totp_enabled_at !== null,
      required: holder.requires_second_factor ?? false,
      recovery_codes_left: await countRecoveryCodes(ctx, holder.actor_id),
    },
  }
}

function describeLimits({ config }: RequestContext, row: SessionRow): NonNullable<SessionState['session']> {
  const limits = sessionLimits(config.settings)
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    idle_expires_at: endOf(row).toISOString(),
    expires_at: row.expires_at.toISOString(),
    warn_after_s: limits.warnAfterMs / 1000,
    idle_limit_s: limits.idleMs / 1000,
  }
}

export const endOf = (row: Pick<SessionRow, 'idle_expires_at' | 'expires_at'>): Date =>
  new Date(Math.min(row.idle_expires_at.getTime(), row.expires_at.getTime()))

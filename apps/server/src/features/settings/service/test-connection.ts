import type { ConnectionTest, SettingValue } from '@agency/contract/settings'
import type { Config } from '../../../config.ts'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { composeConfig } from '../effective.ts'
import { readState, withChanges } from '../state.ts'
import { refuseMovedSecrets, refuseUnfitTogether } from '../together.ts'
import { tryCloudflare, tryMailServer, tryStripe } from '../try-connection.ts'
import { checkValues } from './change-settings.ts'

type Wanted = {
  integration: ConnectionTest['integration']
  values: Record<string, SettingValue>
  send_to?: string | null | undefined
}

const groupOf = { stripe: 'stripe.', cloudflare: 'cloudflare.', smtp: 'mail.' } as const

/** Tries values that are not saved. Changes nothing; that it was tried is written down. */
export async function testConnection(ctx: RequestContext, wanted: Wanted): Promise<ConnectionTest> {
  const { integration } = wanted
  const tried = await tryOut(ctx, await candidateOf(ctx, wanted), wanted)
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, {
      action: 'settings.test',
      resource: 'setting',
      id: integration,
      after: { state: tried.state, ...(wanted.send_to && { send_to: wanted.send_to }) },
    }),
  )
  return { integration, ...tried, tested_at: new Date(ctx.clock()).toISOString() }
}

/** The configuration that saving the values would put in force. */
async function candidateOf(ctx: RequestContext, { integration, values }: Wanted): Promise<Config> {
  const changes = checkValues(ctx.environment, values)
  for (const key of changes.keys()) {
    if (!key.startsWith(groupOf[integration])) throw invalidParameter(key, `has no part in a test of ${integration}`)
  }
  const state = await readState(ctx)
  const before = composeConfig(ctx.environment, state.values)
  const after = composeConfig(ctx.environment, withChanges(state.values, changes))
  const given = new Set(changes.keys())
  refuseUnfitTogether(after, given)
  refuseMovedSecrets(before, after, { given, unreadable: state.unreadable })
  return after
}

function tryOut({ log }: RequestContext, config: Config, { integration, send_to }: Wanted) {
  if (integration === 'stripe') return tryStripe(config, log)
  return integration === 'cloudflare' ? tryCloudflare(config, log) : tryMailServer(config, send_to ?? null, log)
}

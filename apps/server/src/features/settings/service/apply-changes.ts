import { isDeepStrictEqual } from 'node:util'
import type { SettingValue } from '@agency/contract/settings'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { shortenSessions } from '../../auth/index.ts'
import { splitByOtherCurrency } from '../../mirror/index.ts'
import { composeConfig } from '../effective.ts'
import { createSettingsKeeper } from '../keeper.ts'
import { findCurrency, saveSetting } from '../queries/settings.ts'
import { findDefinition } from '../registry.ts'
import { type Changes, type SettingsState, versionOf, withChanges } from '../state.ts'
import { refuseMovedSecrets, refuseUnfitTogether } from '../together.ts'

const isSecret = (key: string): boolean => findDefinition(key)?.kind === 'secret'

/**
 * Sets checked values, all of them or none, in the transaction that holds the lock of the settings. `given` are those that
 * the caller knows, rather than takes from an earlier version.
 */
export async function applyChanges(
  tx: TransactionContext,
  state: SettingsState,
  changes: Changes,
  given: ReadonlySet<string>,
): Promise<void> {
  const before = composeConfig(tx.environment, state.values)
  const after = composeConfig(tx.environment, withChanges(state.values, changes))
  refuseUnfitTogether(after, new Set(changes.keys()))
  refuseMovedSecrets(before, after, { given, unreadable: state.unreadable })
  const currency = await findCurrency(tx)
  // One moment for all: a secret and the address that it is sent to belong together.
  const at = new Date(tx.clock())
  for (const [key, value] of changes) {
    if (!isDeepStrictEqual(value, heldValue(state, key))) await writeChange(tx, state, { key, value, at })
  }
  if (!isDeepStrictEqual(before.settings, after.settings)) await shortenSessions(tx, after.settings)
  if ((await findCurrency(tx)) !== currency) await splitByOtherCurrency(tx)
}

/** undefined for a secret that cannot be opened: whatever is set instead is a change. */
function heldValue(state: SettingsState, key: string): SettingValue | undefined {
  return state.values.get(key) ?? (state.unreadable.has(key) ? undefined : null)
}

type Change = { key: string; value: SettingValue; at: Date }

async function writeChange(tx: TransactionContext, state: SettingsState, { key, value, at }: Change): Promise<void> {
  const before = versionOf(state, key)
  const version = before + 1
  const box = await tx.instance(createSecretBox)
  const sealed = isSecret(key) && value !== null ? box.seal(String(value)) : null
  await saveSetting(tx, { key, version, at }, { value: sealed === null ? value : null, sealed })
  const was = heldValue(state, key)
  await recordAudit(tx, {
    action: 'settings.change',
    resource: 'setting',
    id: key,
    before: { value: told(key, was), version: before },
    after: { value: told(key, value), version },
  })
}

/** Of a secret only whether there is one. */
function told(key: string, value: SettingValue | undefined): SettingValue {
  if (!isSecret(key)) return value ?? null
  return value === null ? 'not set' : 'set'
}

/** Puts what was changed in force in this process before it answers; the others hear of it. */
export async function putInForce(ctx: RequestContext): Promise<void> {
  ctx.changes.tell('settings')
  ctx.changes.tell('sessions')
  await ctx.instance(createSettingsKeeper).reload()
}

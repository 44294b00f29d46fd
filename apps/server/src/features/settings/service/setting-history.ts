import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import type { SettingDefinition } from '../definition.ts'
import { findHistory, findVersion, findVersionAt, lockSettings, type Version } from '../queries/settings.ts'
import { findDefinition, registry } from '../registry.ts'
import { readState, type SettingsState } from '../state.ts'
import { applyChanges, putInForce } from './apply-changes.ts'
import { checkValue } from './change-settings.ts'
import { listSettings } from './list-settings.ts'

const shown = 100

function getDefinition(key: string): SettingDefinition {
  const definition = findDefinition(key)
  if (!definition) throw notFound(`Setting ${key}`)
  return definition
}

export async function getSettingHistory(ctx: RequestContext, key: string) {
  const { kind } = getDefinition(key)
  const versions = await findHistory(ctx, key, shown)
  return {
    versions: versions.map(({ version, value, sealed, at, actor_name }) => ({
      version,
      value,
      is_secret: kind === 'secret',
      is_set: value !== null || sealed !== null,
      at: at.toISOString(),
      actor_name,
    })),
  }
}

/** Sets what an earlier version said. A secret goes from seal to seal: nobody sees it. */
export async function revertSetting(ctx: RequestContext, key: string, version: number) {
  const definition = getDefinition(key)
  await inTransaction(ctx, async (tx) => {
    await lockSettings(tx)
    const state = await readState(tx)
    const earlier = await findVersion(tx, key, version)
    if (!earlier) throw notFound(`Version ${version} of ${key}`)
    await refuseOtherAddress(tx, state, earlier)
    const content = earlier.sealed === null ? earlier.value : await openSecret(tx, earlier.sealed)
    const value = checkValue(tx.environment, definition, content)
    await applyChanges(tx, state, new Map([[key, value]]), new Set([key]))
  })
  await putInForce(ctx)
  return listSettings(ctx)
}

async function openSecret(ctx: Pick<RequestContext, 'instance'>, sealed: string): Promise<string> {
  const box = await ctx.instance(createSecretBox)
  const secret = box.open(sealed)
  if (secret === null) throw new AppError('conflict', 'This version was encrypted with another SECRETS_KEY')
  return secret
}

/** A secret of before is only sent to where it was sent then: whoever brings it back need not know it. */
async function refuseOtherAddress(ctx: Pick<RequestContext, 'db'>, state: SettingsState, earlier: Version) {
  const address = registry.find(({ sends }) => sends === earlier.key)
  if (!address || earlier.sealed === null) return
  const now = state.values.get(address.key)
  if (now === undefined) return
  const then = await findVersionAt(ctx, address.key, earlier.at)
  if (then?.value !== now)
    throw invalidParameter(earlier.key, `was not sent to what ${address.key} is now: set both together instead`)
}

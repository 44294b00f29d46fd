import type { SettingValue } from '@agency/contract/settings'
import type { Config } from '../../../config.ts'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import type { SettingDefinition } from '../definition.ts'
import { lockSettings } from '../queries/settings.ts'
import { decidingVariable, findDefinition } from '../registry.ts'
import { type Changes, readState, type SettingsState, versionOf } from '../state.ts'
import { applyChanges, putInForce } from './apply-changes.ts'
import { listSettings } from './list-settings.ts'

type Wanted = { changes: Record<string, SettingValue>; versions?: Record<string, number> | undefined }

export async function changeSettings(ctx: RequestContext, { changes, versions = {} }: Wanted) {
  const checked = checkValues(ctx.environment, changes)
  await inTransaction(ctx, async (tx) => {
    await lockSettings(tx)
    const state = await readState(tx)
    refuseOutdated(state, versions)
    await applyChanges(tx, state, checked, new Set(checked.keys()))
  })
  await putInForce(ctx)
  return listSettings(ctx)
}

/** Each value as it is kept. Throws what names the first that cannot be set. */
export function checkValues(environment: Config, changes: Record<string, SettingValue>): Changes {
  return new Map(
    Object.entries(changes).map(([key, value]) => [key, checkValue(environment, getDefinition(key), value)]),
  )
}

function getDefinition(key: string): SettingDefinition {
  const definition = findDefinition(key)
  if (!definition) throw invalidParameter(key, 'is not a setting')
  return definition
}

export function checkValue(environment: Config, definition: SettingDefinition, value: SettingValue): SettingValue {
  const { key, rule } = definition
  const variable = decidingVariable(environment, definition)
  if (variable !== null) throw invalidParameter(key, `is fixed by the server (${variable})`)
  if (value === null) return null
  const parsed = rule.safeParse(value)
  if (!parsed.success) throw invalidParameter(key, parsed.error.issues[0]?.message ?? 'is not valid')
  return parsed.data
}

function refuseOutdated(state: SettingsState, versions: Record<string, number>): void {
  for (const [key, version] of Object.entries(versions)) {
    if (versionOf(state, key) !== version)
      throw new AppError('conflict', `Someone else changed ${key}. Nothing was saved.`, {
        parameter: key,
      })
  }
}

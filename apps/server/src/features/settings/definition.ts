import type { Setting, SettingGroup, SettingValue } from '@agency/contract/settings'
import { z } from 'zod'
import type { Config, Settings } from '../../config.ts'

/** A setting as data: what it is, what it may be, and where a configuration holds it. */
export type SettingDefinition = {
  /** `<group>.<name>` */
  key: string
  group: SettingGroup
  label: string
  hint: string
  kind: Setting['kind']
  choices: Setting['choices']
  min: number | null
  max: number | null
  unit: string | null
  env: string | null
  /** A secret that this one sends somewhere: whoever sets the one decides about the other. */
  sends: string | null
  defaultValue: SettingValue
  /** Checks a value that is set, and answers it as it is kept. */
  rule: z.ZodType<SettingValue>
  /** undefined: the configuration holds none. */
  read(config: Config): SettingValue | undefined
  put(config: Config, value: SettingValue): void
}

type Words = { label: string; hint: string }

const plain = { choices: null, min: null, max: null, unit: null, env: null, sends: null } as const
const maxText = 2000

const groupOf = (key: string): SettingGroup => key.split('.')[0] as SettingGroup

/** One line of text; a rule of its own may ask for more. */
export const textRule = (more: z.ZodType<string, string> = z.string()) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .min(1, 'must not be empty; use the default instead')
    .max(maxText, `must have at most ${maxText} characters`)
    .pipe(more)

type OwnSetting<Name extends keyof Settings> = Words &
  Pick<SettingDefinition, 'kind' | 'rule'> & {
    name: Name
    defaultValue: Settings[Name]
  } & Partial<Pick<SettingDefinition, 'choices' | 'min' | 'max' | 'unit'>>

/** A setting that only the console knows. */
export function ownSetting<Name extends keyof Settings>(
  key: string,
  { name, ...given }: OwnSetting<Name>,
): SettingDefinition {
  return {
    ...plain,
    ...given,
    key,
    group: groupOf(key),
    read: () => undefined,
    put(config, value) {
      config.settings = { ...config.settings, [name]: value }
    },
  }
}

/** A whole number within bounds. */
export function numberSetting(
  key: string,
  given: Words & { name: keyof Settings; defaultValue: number; min: number; max: number; unit: string },
): SettingDefinition {
  const { min, max } = given
  const text = `must be a whole number from ${min} to ${max}`
  const rule = z.number({ error: text }).int(text).min(min, text).max(max, text)
  return ownSetting(key, { ...given, kind: 'number', rule })
}

/** A setting that a variable of the environment can hold instead. */
export function environmentSetting(
  key: string,
  given: Words & {
    env: string
    kind: 'text' | 'secret'
    rule: z.ZodType<string, string>
    sends?: string
    read(config: Config): string | undefined
    put(config: Config, value: string): void
  },
): SettingDefinition {
  return {
    ...plain,
    ...given,
    key,
    group: groupOf(key),
    defaultValue: null,
    rule: textRule(given.rule),
    put: (config, value) => given.put(config, String(value)),
  }
}

import type { DomainSetting } from '@agency/contract/types'
import type { PointerEvent } from 'react'
import { type SettingKind, settingText, settingTitle, unknownText } from './domain-words.ts'
import css from './domains.module.css'

/** A setting with its age, made when the pointer asks for it; what is not known says why. */
export function SettingValue({ kind, setting }: { kind: SettingKind; setting: DomainSetting }) {
  const known = settingText(kind, setting)
  const handleEnter = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.title = settingTitle(setting)
  }
  return (
    <span className={known === null ? css['muted'] : undefined} onPointerEnter={handleEnter}>
      {known ?? unknownText(setting)}
    </span>
  )
}

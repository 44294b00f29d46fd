import type { Setting } from '@agency/contract/types'
import { useEffect, useState } from 'react'
import { changedOf, type Draft, type FieldValue, isOvertaken, readDraft, withField, withoutKey } from './draft.ts'
import { useSave } from './use-save.ts'

export type Form = ReturnType<typeof useDraft>

/** The changes that are not saved yet, what is wrong with them, and the way to save them. */
export function useDraft(settings: readonly Setting[]) {
  const [draft, setDraft] = useState<Draft>({})
  const [tried, setTried] = useState(false)
  const [blocked, setBlocked] = useState<string>()
  const [round, setRound] = useState(0)
  const { send, forget, saving, refusedField, refusal } = useSave(settings)
  const changed = changedOf(settings, draft)
  const { problems, changes, versions } = readDraft(settings, draft)

  useWarningBeforeLeaving(changed.length > 0)

  const discard = () => {
    setDraft({})
    setTried(false)
    setBlocked(undefined)
    setRound((now) => now + 1)
    forget()
  }
  const save = () => {
    if (changed.length === 0 || saving) return
    const older = changed.some((setting) => isOvertaken(setting, draft))
    const wrong = Object.keys(problems).length > 0
    setTried(true)
    setBlocked(wrong ? 'Correct the marked fields first' : older ? 'Choose which value to keep first' : undefined)
    if (!wrong && !older) send({ changes, versions }, changed, discard)
  }

  return {
    draft,
    /** Counts how often nothing was left to save: what a field or a test keeps by itself starts anew. */
    round,
    changed,
    changes,
    saving,
    blocked,
    refusal,
    problemOf: ({ key }: Setting) =>
      (tried ? problems[key] : undefined) ?? (refusedField?.key === key ? refusedField.words : undefined),
    setField: (setting: Setting, field: FieldValue) => {
      setBlocked(undefined)
      if (refusedField?.key === setting.key) forget()
      setDraft((now) => withField(now, setting, field))
    },
    /** Keeps the change although somebody else saved the setting meanwhile. */
    keepMine: ({ key, version }: Setting) => {
      setBlocked(undefined)
      forget()
      setDraft((now) => (now[key] ? { ...now, [key]: { ...now[key], version } } : now))
    },
    drop: (key: string) => setDraft((now) => withoutKey(now, key)),
    discard,
    save,
  }
}

function useWarningBeforeLeaving(changed: boolean): void {
  useEffect(() => {
    if (!changed) return
    const handle = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handle)
    return () => window.removeEventListener('beforeunload', handle)
  }, [changed])
}

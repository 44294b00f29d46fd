import type { Setting } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { useSearchState } from '../../lib/use-search-state.ts'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { GroupPanel } from './GroupPanel.tsx'
import { SaveBar } from './SaveBar.tsx'
import css from './settings.module.css'
import { configSearch } from './settings-search.ts'
import { groups } from './settings-words.ts'
import { useDraft } from './use-draft.ts'

const HistoryDrawer = lazy(() => import('./HistoryDrawer.tsx').then((m) => ({ default: m.HistoryDrawer })))

type Props = { settings: readonly Setting[]; publicUrlKnown: boolean }

export function SettingsForm({ settings, publicUrlKnown }: Props) {
  const { state, set } = useSearchState(configSearch)
  const form = useDraft(settings)
  const opened = settings.find(({ key }) => key === state.history)
  const closeHistory = () => set({ history: '' })
  return (
    <form
      className={css['form']}
      aria-label="Settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.save()
      }}
    >
      {groups.map((group) => {
        const members = settings.filter((setting) => setting.group === group)
        return members.length > 0 ? (
          <GroupPanel
            key={group}
            group={group}
            settings={members}
            form={form}
            remark={
              group === 'mail' && !publicUrlKnown
                ? 'Set "Address of this console" first. Emails with links wait until then.'
                : undefined
            }
            onHistory={(history) => set({ history }, 'push')}
          />
        ) : null
      })}
      <SaveBar form={form} />
      <Suspense>
        {opened ? (
          <SectionBoundary resetKey={opened.key} onRetry={closeHistory}>
            <HistoryDrawer setting={opened} onReverted={() => form.drop(opened.key)} onClose={closeHistory} />
          </SectionBoundary>
        ) : null}
      </Suspense>
    </form>
  )
}

import { Suspense, useState } from 'react'
import { paths } from '../../lib/paths.ts'
import { useMayOpen } from '../../lib/screen-access.ts'
import { signOut, useSessionState } from '../../lib/session.ts'
import { chosenTheme, themes } from '../../lib/theme-choice.ts'
import type { Action } from '../../ui/action.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { changeTheme, themeLabels } from '../theme-words.ts'
import css from './top-bar.module.css'

export function AccountMenu() {
  const { actor } = useSessionState()
  const mayOpen = useMayOpen()
  const toast = useToast()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  // The admin key is nobody in particular.
  const name = actor.type === 'user' ? actor.name : 'Admin User'
  const themeActions = themes.map((theme, index) => ({
    label: themeLabels[theme],
    checked: theme === chosenTheme(),
    divider: index === 0,
    onSelect: () => void changeTheme(theme, toast),
  }))
  const actions: readonly Action[] = [
    { label: name, href: paths.profile },
    { label: 'Profile', href: paths.profile, divider: true },
    ...(mayOpen(paths.config) ? [{ label: 'Settings', href: paths.config }] : []),
    ...themeActions,
    { label: 'Logout', onSelect: () => signOut('signed_out'), divider: true },
  ]
  return (
    <>
      <IconButton
        label={`Account: ${name}`}
        opens="menu"
        expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={css['avatar']} data-initials={initialsOf(name)} />
      </IconButton>
      {anchor ? (
        <Suspense>
          <ActionMenu anchor={anchor} label="Account" actions={actions} onClose={() => setAnchor(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

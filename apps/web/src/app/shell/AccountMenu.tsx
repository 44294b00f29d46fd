import { Suspense, useState } from 'react'
import { paths } from '../../lib/paths.ts'
import { signOut, useSessionState } from '../../lib/session.ts'
import type { Action } from '../../ui/action.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import css from './top-bar.module.css'

export function AccountMenu() {
  const { actor } = useSessionState()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  // The admin key is nobody in particular.
  const name = actor.type === 'user' ? actor.name : 'Admin User'
  const actions: readonly Action[] = [
    { label: name, href: paths.profile },
    { label: 'Profile', href: paths.profile, divider: true },
    { label: 'Settings', href: paths.config },
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
        <span className={css['avatar']}>{initialsOf(name)}</span>
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

import { lazy, Suspense, useState } from 'react'
import type { Action } from './action.ts'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

// Most visits open no menu, so its code loads with the first one.
export const ActionMenu = lazy(() => import('./ActionMenu.tsx').then((module) => ({ default: module.ActionMenu })))

type Props = { label: string; actions: readonly Action[]; small?: boolean }

export function MoreMenu({ label, actions, small = false }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        label={label}
        small={small}
        opens="menu"
        expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" />
      </IconButton>
      {anchor ? (
        <Suspense>
          <ActionMenu anchor={anchor} label={label} actions={actions} onClose={() => setAnchor(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

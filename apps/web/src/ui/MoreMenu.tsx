import MoreVert from '@mui/icons-material/MoreVert'
import IconButton from '@mui/material/IconButton'
import { lazy, Suspense, useState } from 'react'

export type Action = {
  label: string
  onSelect?: () => void
  /** A link instead of an act; `external` opens it in a new tab. */
  href?: string
  external?: boolean
  destructive?: boolean
  /** Why it cannot be done now; the entry stays visible and says so. */
  disabledReason?: string | undefined
  /** Draws a line above. */
  divider?: boolean
}

// Most visits open no menu, so its code loads with the first one.
export const ActionMenu = lazy(() => import('./ActionMenu.tsx').then((module) => ({ default: module.ActionMenu })))

type Props = { label: string; actions: readonly Action[]; small?: boolean }

export function MoreMenu({ label, actions, small = false }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        size={small ? 'small' : 'medium'}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={label}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVert fontSize="small" />
      </IconButton>
      {anchor ? (
        <Suspense>
          <ActionMenu anchor={anchor} label={label} actions={actions} onClose={() => setAnchor(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

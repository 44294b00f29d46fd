import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { ReasonedButton } from './ReasonedButton.tsx'

type Props = {
  /** Why nothing can be added now. */
  blocked?: string | undefined | null
  onClick: () => void
  /** What it says: "Add Site". */
  children: ReactNode
}

/** Opens the form of something new: the one button of a list that stands out. */
export function AddButton({ blocked, onClick, children }: Props) {
  return (
    <ReasonedButton
      variant="contained"
      startIcon={<Icon name="add" />}
      aria-haspopup="dialog"
      blocked={blocked}
      onClick={onClick}
    >
      {children}
    </ReasonedButton>
  )
}

/** An entry of a menu. */
export type Action = {
  label: string
  onSelect?: () => void
  /** A link instead of an act; `external` opens it in a new tab. */
  href?: string
  external?: boolean
  destructive?: boolean
  /** One of several choices, and whether it is the chosen one. */
  checked?: boolean
  /** Why it cannot be done now; the entry stays visible and says so. */
  disabledReason?: string | undefined
  /** Draws a line above. */
  divider?: boolean
}

import type { QueryClient } from '@tanstack/react-query'
import type { Toasts } from '../../lib/toasts.ts'

/** What an action opens; of a payment or a subscription, by its id. */
export type ActionDialog =
  | 'add-customer'
  | 'add-user'
  | 'add-role'
  | 'generate-key'
  | { refund: string }
  | { cancel: string }

/** What the actions work with; it outlives the palette. */
export type Tools = {
  toast: Toasts
  client: QueryClient
  navigate: (path: string) => void
  open: (dialog: ActionDialog) => void
  /** Aborted when the console is left. */
  signal: AbortSignal
}

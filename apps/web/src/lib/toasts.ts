import { createContext } from 'react'

export type ToastLink = { label: string; href: string }

export type Toasts = {
  /** What was done, with its Undo, or where it can be followed. Leaves by itself. */
  success: (text: string, next?: (() => void) | ToastLink) => void
  info: (text: string) => void
  /** Stays until it is closed, and carries the request id. */
  error: (text: string, cause?: { message?: string; requestId?: string | undefined }) => void
}

/** Null outside of the console: the sign-in has no toasts. */
export const ToastContext = createContext<Toasts | null>(null)

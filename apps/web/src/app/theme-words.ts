import type { Theme } from '@agency/contract/types'
import { ApiError } from '../lib/problems.ts'
import { setTheme } from '../lib/session.ts'
import type { Toasts } from '../lib/toasts.ts'

export const themeLabels: Record<Theme, string> = {
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'System theme',
}

export async function changeTheme(theme: Theme, toast: Toasts): Promise<void> {
  try {
    await setTheme(theme)
  } catch (error) {
    toast.error('The theme changed here only, until you reload.', error instanceof ApiError ? error : undefined)
  }
}

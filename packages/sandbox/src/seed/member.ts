import type { StoryName } from './stories.ts'

export type Member = {
  name: string
  email: string
  story: StoryName
  /** How long ago the customer came. */
  months: number
  country: string
  company?: string
  currency?: 'eur'
  metadata?: Record<string, string>
  description?: string
  /** Pays by bank debit. */
  debit?: boolean
  deleted?: boolean
}

import type { AlertSubject } from '@agency/contract/alerts'
import type { Rule } from './rules.ts'

/** Something that a rule finds wrong right now. */
export type Condition = {
  rule: string
  subject: AlertSubject
  subjectId: string
  subjectName: string
  link: string | null
  title: string
  detail: string
  /** The sites that are affected. */
  siteIds: string[]
  /** Maintenance was planned for it. */
  isSilenced?: boolean
}

export type RulesInForce = ReadonlyMap<string, Rule>

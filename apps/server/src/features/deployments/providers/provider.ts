import type { DeploymentStage } from '@agency/contract/types'
import type { DeploymentRow } from '../queries/rows.ts'

/** What is known of one build. */
export type Build = {
  providerId: string | null
  buildId: string | null
  version: string | null
  commitHash: string | null
  commitMessage: string | null
  branch: string | null
  url: string | null
}

export const unknownBuild: Build = {
  ...{ providerId: null, buildId: null, version: null, commitHash: null, commitMessage: null, branch: null, url: null },
}

export type Progress = Build & {
  status: 'building' | 'deploying' | 'success' | 'failed'
  failure: string | null
  stages: DeploymentStage[]
  startedAt: Date | null
  endedAt: Date | null
}

export type Order = {
  row: DeploymentRow
  /** Of a retry: what it repeats. Of a rollback: what it brings back. */
  about: DeploymentRow | undefined
  /** Where the provider may tell what becomes of it. */
  callbackUrl: string | null
}

type ReadLine = { number: number; at: Date; text: string }

/** It did not happen. `retryAfter`, in seconds: it may be asked again then. */
export class NotStarted extends Error {
  override name = 'NotStarted'
  readonly retryAfter: number | undefined
  constructor(message: string, { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** Whether it happened is not known; the message says what was heard instead of an answer. */
export class Unclear extends Error {
  override name = 'Unclear'
}

/** What builds and serves a site. Nothing is ever sent twice by it. */
export type DeployProvider = {
  lane: string
  /** A rollback is done as soon as it is accepted; elsewhere it takes its time, as a build does. */
  rollsBackAtOnce: boolean
  /** Builds that are there now: what a lost start left behind is none of them. */
  listKnown(): Promise<string[]>
  /** For the builds to come. Answers whether it takes an environment at all. */
  setEnvironment(values: Readonly<Record<string, string>>, gone: readonly string[]): Promise<boolean>
  /** Deploys, tries again or rolls back. Throws `NotStarted`; after any other error it may have happened. */
  start(order: Order): Promise<Build>
  /** After a lost answer. null: it is not there. `unknowable`: the provider cannot be asked for it. */
  findLost(order: Order): Promise<Build | null | 'unknowable'>
  /** null: it does not exist any more. `untold`: the provider tells by itself, or never. */
  read(row: DeploymentRow): Promise<Progress | null | 'untold'>
  /** Lines after a number, of those that the provider hands out when asked. */
  readLog(row: DeploymentRow, after: number): Promise<ReadLine[]>
  /** Ends a build. Answers why it goes on all the same, or null. */
  stop(row: DeploymentRow): Promise<string | null>
  /** Which build it says that it serves. */
  findReported(): Promise<string | null>
}

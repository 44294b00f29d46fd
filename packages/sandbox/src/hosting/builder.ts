import { randomBytes } from 'node:crypto'
import type { DemoSite } from '../cloudflare/demo-sites.ts'
import { type Build, type Commit, type HookFault, isOpen, nextStep } from './build.ts'
import type { Builds } from './builds-store.ts'
import type { Callbacks } from './callbacks.ts'

type Options = {
  builds: Builds
  callbacks: Callbacks
  siteOf: (label: string) => DemoSite | undefined
  urlOf: (site: DemoSite) => string
  wallNow: () => number
  stepMs: () => number
}

export type Wanted = {
  label: string
  kind: Build['kind']
  /** The older build that a rollback brings back. */
  old: Build | undefined
  deploymentId: string | null
  callbackUrl: string | null
  branch: string
  commitHash: string | null
  fault: HookFault | null
}

const messages = [
  'Put the opening hours right',
  'New pictures for the front page',
  'Update dependencies',
  'Fix the menu',
]

function newCommit(branch: string, given: string | null): Commit {
  const hash = given ?? randomBytes(20).toString('hex')
  return { hash, message: messages[(hash.codePointAt(0) ?? 0) % messages.length] ?? '', branch }
}

/** Builds what the deploy hooks are asked for: step by step, and on from where a restart found it. */
export function createBuilder({ builds, callbacks, siteOf, urlOf, wallNow, stepMs }: Options) {
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false

  function later(build: Build): void {
    if (stopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      // A database that is away for a moment is asked again with the next step.
      void advance(build).catch(() => later(build))
    }, stepMs())
    timers.add(timer)
  }

  async function advance(build: Build): Promise<void> {
    const site = siteOf(build.label)
    if (!site) return
    const { status, reason = null, texts } = nextStep(build, site)
    const at = new Date(wallNow()).toISOString()
    const lines = texts.map((text) => ({ at, text }))
    const next: Build = {
      ...build,
      status,
      reason,
      sequence: build.sequence + 1,
      lines: [...build.lines, ...lines],
      finished_at: status === 'success' || status === 'failed' ? at : null,
    }
    if (status === 'success') await builds.serve(build.label, build.serves)
    await builds.save(next)
    callbacks.tell({ build: next, from: build.lines.length, lines, url: urlOf(site) })
    if (isOpen(next)) later(next)
  }

  async function start(wanted: Wanted): Promise<Build> {
    const at = new Date(wallNow()).toISOString()
    const build_id = `bld_${randomBytes(8).toString('hex')}`
    const lines = [{ at, text: wanted.old ? 'Rollback accepted' : 'Build accepted' }]
    const build: Build = {
      build_id,
      label: wanted.label,
      kind: wanted.kind,
      serves: wanted.old?.build_id ?? build_id,
      deployment_id: wanted.deploymentId,
      callback_url: wanted.callbackUrl,
      status: 'queued',
      sequence: 1,
      reason: null,
      commit: wanted.old?.commit ?? newCommit(wanted.branch, wanted.commitHash),
      created_at: at,
      finished_at: null,
      fault: wanted.fault,
      lines,
    }
    await builds.save(build)
    const site = siteOf(wanted.label)
    callbacks.tell({ build, from: 0, lines, url: site ? urlOf(site) : '' })
    later(build)
    return build
  }

  return {
    start,
    /** Goes on with what an earlier process left half done. */
    async resume(): Promise<void> {
      for (const build of await builds.open()) later(build)
    },
    stop(): void {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

export type Builder = ReturnType<typeof createBuilder>

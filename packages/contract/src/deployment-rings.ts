import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** Several sites are deployed anew, ring after ring: those whose customers pay the least come first. */
export const deploymentRing = z.object({
  /** Of the sites, with the rings before it. */
  percentage: z.int().min(1).max(100),
  sites: count,
  succeeded: count,
  failed: count,
  /** Not deployed at all: they are suspended, gone, or have no provider. */
  skipped: count,
  state: z.enum(['waiting', 'due', 'deploying', 'done', 'cancelled', 'failed']),
  /** What it waits for. */
  note: z.string().nullable(),
  started_at: instant.nullable(),
})
export type DeploymentRing = z.output<typeof deploymentRing>

export const ringRollout = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Why it stopped. */
  problem: z.string().nullable(),
  reason: z.string().nullable(),
  wait_minutes: count,
  started_by: z.string(),
  started_at: instant,
  finished_at: instant.nullable(),
  rings: z.array(deploymentRing),
})
export type RingRollout = z.output<typeof ringRollout>

const answer = z.object({ rollout: ringRollout })

export const listRingRollouts = endpoint({
  method: 'GET',
  path: '/deployment-rings',
  permission: 'sites.read',
  summary: 'Redeployments in rings, newest first, 10 at most',
  response: z.object({ rollouts: z.array(ringRollout) }),
  topics: ['deployments', 'sites'],
})

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const startRingRollout = endpoint({
  method: 'POST',
  path: '/deployment-rings',
  permission: 'sites.deploy',
  summary:
    'Deploy several sites ring by ring; each ring waits until the one before is deployed and its checks are green',
  body: z.strictObject({
    site_ids: z.array(z.string().min(1).max(64)).min(1, 'Choose at least one site').max(500, '500 sites at most'),
    /** How many of the sites are deployed with each ring and those before it. */
    rings: z
      .array(z.int().min(1).max(100))
      .min(1)
      .max(10)
      .refine((rings) => rings.at(-1) === 100 && rings.every((ring, index) => ring > (rings[index - 1] ?? 0)), {
        error: 'must grow and end with 100',
      })
      .default([10, 25, 50, 100]),
    wait_minutes: z
      .int()
      .min(0)
      .max(24 * 60, 'A ring waits a day at most')
      .default(5),
    reason: z
      .string()
      .trim()
      .max(500)
      .refine(isText, 'A reason is text')
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .default(null),
  }),
  response: answer,
  idempotent: true,
})

export const continueRingRollout = endpoint({
  method: 'POST',
  path: '/deployment-rings/:id/continue',
  permission: 'sites.deploy',
  summary: 'Go on with the next ring although deployments before it failed',
  params: idParams,
  response: answer,
})

export const cancelRingRollout = endpoint({
  method: 'POST',
  path: '/deployment-rings/:id/cancel',
  permission: 'sites.deploy',
  summary: 'Begin no further ring; deployments that were begun go on',
  params: idParams,
  response: answer,
})

export type DatasetName = 'httpRequests1dGroups' | 'httpRequests1hGroups' | 'httpRequestsAdaptiveGroups'

/** Times in seconds, as the `settings` node tells them. */
export type DatasetLimits = {
  enabled: boolean
  maxDuration: number
  maxPageSize: number
  notOlderThan: number
  maxNumberOfFields: number
}

const day = 86_400
const limits = (daysPerQuery: number, daysBack: number): DatasetLimits => ({
  enabled: true,
  maxDuration: daysPerQuery * day,
  maxPageSize: 10_000,
  notOlderThan: daysBack * day,
  maxNumberOfFields: 30,
})

type Plan = { limits: Record<DatasetName, DatasetLimits>; refused: Partial<Record<DatasetName, readonly string[]>> }

const plan = (days: [number, number], samples: [number, number], refused: readonly string[] = []): Plan => ({
  limits: {
    httpRequests1dGroups: limits(...days),
    httpRequests1hGroups: limits(3, 3),
    httpRequestsAdaptiveGroups: limits(...samples),
  },
  refused: { httpRequestsAdaptiveGroups: refused },
})

const free = plan([31, 31], [1, 8], ['clientRequestPath'])
const plans: Record<string, Plan> = {
  free,
  pro: plan([31, 93], [7, 31]),
  business: plan([93, 366], [31, 31]),
  enterprise: plan([366, 400], [31, 93]),
}

export const planOf = (name: string): Plan => plans[name] ?? free

import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const exportMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  isAlsoAtRoot: true,
  permission: 'metrics.read',
  summary: 'What the console measures, as Prometheus reads it; for API keys with the scope metrics.read',
  response: z.string(),
  produces: 'text/plain',
})

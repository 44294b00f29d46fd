export { eventRoutes } from './routes.ts'
export { createEventStreams } from './streams.ts'

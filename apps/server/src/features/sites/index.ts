export { siteJobs } from './jobs.ts'
export { applyProbe, type DeploymentNote, noteBandwidth, noteDeployment } from './measured.ts'
export {
  type CustomerSite,
  finishForCustomer,
  resumeForCustomer,
  sitesToResume,
  sitesToSuspend,
  suspendForCustomer,
} from './of-customer.ts'
export { siteRoutes } from './routes.ts'
export { type DeployTarget, deployTargetOf } from './service/deploy-target.ts'
export { rollBackTo as rollbackEnvironment } from './service/environment.ts'
export { environmentFor, environmentNames } from './service/environment-values.ts'
export { sitesExport } from './sites-export.ts'
export { siteSuspension } from './suspension/run.ts'

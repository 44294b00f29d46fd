/** Of the durable run that deploys ring after ring. */
export const ringsName = 'deployments.rings'

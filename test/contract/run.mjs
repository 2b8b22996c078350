// `npm run test:contract`: two referees who did not write Trove hold it to schemas/item-service.openapi.yaml.
// Prism stands between the real client and the real service while the scenarios run; Specmatic makes requests of
// its own, good and bad, and judges the answers. Build first. A referee who can't be had on this machine is
// named and left out, which does not fail the run.
import { refereeScenarios } from './prism.mjs';
import { refereeService } from './specmatic.mjs';

const referees = { Prism: refereeScenarios, Specmatic: refereeService };

for (const [name, referee] of Object.entries(referees)) {
  const { verdict, because } = await referee();
  process.stdout.write(`${name}: ${verdict}: ${because}\n`);
  if (verdict === 'failed') process.exitCode = 1;
}

// Builds everything that is made from something else: validators from schemas, the bundle from src.
// `node scripts/build.mjs validators` stops after the first, which is all that unit tests need.
import { bundle } from './bundle.mjs';
import { compileValidators } from './compile-validators.mjs';

await compileValidators('generated');
if (process.argv[2] !== 'validators') await bundle('dist');

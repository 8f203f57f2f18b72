# Tests of what the plugin does not do yet; the same configuration as those of lit/.
import os

lit_config.load_config(config, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lit", "lit.cfg.py"))
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root += "-failing"
